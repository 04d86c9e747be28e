import { randomBytes } from "node:crypto";
import { StorageError } from "../errors/storage-error.ts";
import { parseCorsRules } from "../cors/cors-rules.ts";
import { type ServiceProperties } from "../service-properties/service-properties.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all } from "../metadata/steps.ts";
import { isAccountName } from "../request/names.ts";
import { AccountKey } from "../shared-key/account-key.ts";
import { readWebsite } from "../website/website.ts";
import { type Account, type AccountSettings, parseSettings } from "./account.ts";
import { listAccounts } from "./account-statements.ts";
import { DEVELOPMENT_ACCOUNT, developmentKeys } from "./development-account.ts";

/** Seals secrets that are kept in the database; packages/installation has the real one. */
export interface SecretBox {
  /** @param context  what the secret is for: it opens only under the same one */
  seal(plaintext: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
}

export interface AccountDirectoryOptions {
  /** Whether the development account answers to the key that everybody knows. */
  readonly developmentAccount?: boolean | undefined;
}

const KEY_BYTES = 64;

/** The accounts, with opened keys, in memory: every request needs one. */
export class AccountDirectory {
  readonly #metadata: Metadata;
  readonly #secrets: SecretBox;
  readonly #developmentAccount: boolean;
  #accounts: ReadonlyMap<string, Account>;

  constructor(metadata: Metadata, secrets: SecretBox, { developmentAccount = false }: AccountDirectoryOptions = {}) {
    this.#metadata = metadata;
    this.#secrets = secrets;
    this.#developmentAccount = developmentAccount;
    this.#accounts = this.#load();
  }

  find(name: string): Account | undefined {
    return this.#accounts.get(name);
  }

  /** The name of the account when there is exactly one. */
  get onlyName(): string | undefined {
    const [name, second] = this.#accounts.keys();
    return second === undefined ? name : undefined;
  }

  list(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  /**
   * Makes an account.
   *
   * @param keys  base64, taken leniently; those not given are made up
   * @throws StorageError `InvalidResourceName`, `InvalidInput` (a key that decodes to nothing) or `AccountAlreadyExists`
   */
  async create(name: string, keys: readonly (string | undefined)[] = []): Promise<Account> {
    if (!isAccountName(name)) {
      throw new StorageError("InvalidResourceName");
    }
    const [first, second] = keys;
    const sealed = [this.#sealedKey(name, first), this.#sealedKey(name, second)] as const;
    await this.#metadata.write("createAccount", { name, keys: sealed });
    this.refresh();
    return this.get(name);
  }

  /**
   * Replaces one of an account's two keys; the other stays valid, so that clients can be moved first.
   *
   * @param key  base64, taken leniently; made up when it isn't given
   * @throws StorageError `ResourceNotFound`, or `InvalidInput` for a key that decodes to nothing
   */
  async replaceKey(name: string, which: 1 | 2, key?: string): Promise<Account> {
    const { id } = this.get(name);
    await this.#metadata.write("setAccountKey", { accountId: id, which, key: this.#sealedKey(name, key) });
    this.refresh();
    return this.get(name);
  }

  /** @throws StorageError `ResourceNotFound` */
  async changeSettings(name: string, change: Partial<AccountSettings>): Promise<Account> {
    const { id, settings } = this.get(name);
    await this.#metadata.write("setAccountSettings", {
      accountId: id,
      settings: JSON.stringify({ ...settings, ...change }),
    });
    this.refresh();
    return this.get(name);
  }

  #sealedKey(name: string, text: string = randomBytes(KEY_BYTES).toString("base64")): Uint8Array {
    if (Buffer.from(text, "base64").length === 0) {
      throw new StorageError("InvalidInput", { detail: "a key is base64" });
    }
    return this.#secrets.seal(Buffer.from(text, "utf8"), contextOf(name));
  }

  /** After a change of an account's row. */
  refresh(): void {
    this.#accounts = this.#load();
  }

  /** @throws StorageError `ResourceNotFound` */
  get(name: string): Account {
    const account = this.find(name);
    if (account === undefined) {
      throw new StorageError("ResourceNotFound");
    }
    return account;
  }

  #load(): ReadonlyMap<string, Account> {
    const rows = this.#metadata.read(all(listAccounts, {}));
    return new Map(
      rows.map((row) => {
        const open = (sealed: Uint8Array): AccountKey =>
          new AccountKey(Buffer.from(this.#secrets.open(sealed, contextOf(row.name))).toString("utf8"));
        const stored = [open(row.key_1), open(row.key_2)] as const;
        const loopbackOnly = this.#developmentAccount && row.name === DEVELOPMENT_ACCOUNT;
        const keys = loopbackOnly ? developmentKeys(stored) : stored;
        const properties = JSON.parse(row.properties) as ServiceProperties;
        const settings = parseSettings(row.settings);
        const corsRules = parseCorsRules(properties.Cors);
        const website = readWebsite(properties.StaticWebsite);
        const { account_id: id, name, created_ms: createdMs } = row;
        return [name, { id, name, keys, createdMs, loopbackOnly, settings, properties, corsRules, website }];
      }),
    );
  }
}

function contextOf(accountName: string): string {
  return `storage account key ${accountName}`;
}
