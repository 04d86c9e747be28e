import { randomBytes } from "node:crypto";
import { StorageError } from "../errors/storage-error.ts";
import { parseCorsRules } from "../cors/cors-rules.ts";
import { type ServiceProperties } from "../service-properties/service-properties.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all } from "../metadata/steps.ts";
import { isAccountName } from "../request/names.ts";
import { AccountKey } from "../shared-key/account-key.ts";
import { readWebsite } from "../website/website.ts";
import { type Account } from "./account.ts";
import { listAccounts } from "./account-statements.ts";

/** Seals secrets that are kept in the database; packages/installation has the real one. */
export interface SecretBox {
  /** @param context  what the secret is for: it opens only under the same one */
  seal(plaintext: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
}

const KEY_BYTES = 64;

/** The accounts, with opened keys, in memory: every request needs one. */
export class AccountDirectory {
  readonly #metadata: Metadata;
  readonly #secrets: SecretBox;
  #accounts: ReadonlyMap<string, Account>;

  constructor(metadata: Metadata, secrets: SecretBox) {
    this.#metadata = metadata;
    this.#secrets = secrets;
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
    const texts = [0, 1].map((index) => keys[index] ?? randomBytes(KEY_BYTES).toString("base64"));
    if (texts.some((text) => Buffer.from(text, "base64").length === 0)) {
      throw new StorageError("InvalidInput");
    }
    const [first, second] = texts.map((text) => this.#secrets.seal(Buffer.from(text, "utf8"), contextOf(name)));
    if (first !== undefined && second !== undefined) {
      await this.#metadata.write("createAccount", { name, keys: [first, second] });
    }
    this.refresh();
    return this.get(name);
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
        const keys = [open(row.key_1), open(row.key_2)] as const;
        const properties = JSON.parse(row.properties) as ServiceProperties;
        const corsRules = parseCorsRules(properties.Cors);
        const website = readWebsite(properties.StaticWebsite);
        const { account_id: id, name, created_ms: createdMs } = row;
        return [name, { id, name, keys, createdMs, properties, corsRules, website }];
      }),
    );
  }
}

function contextOf(accountName: string): string {
  return `storage account key ${accountName}`;
}
