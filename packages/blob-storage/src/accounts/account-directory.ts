import { randomBytes } from "node:crypto";
import { StorageError } from "../errors/storage-error.ts";
import { parseCorsRules } from "../cors/cors-rules.ts";
import { type ServiceProperties } from "../service-properties/service-properties.ts";
import { type EncryptionScopes, isScopeName } from "../encryption/encryption-scope.ts";
import { loadScopes, sealNewKey, sealScopesAnew } from "../encryption/scope-keys.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all, first } from "../metadata/steps.ts";
import { findQuota, listQuotas } from "../quotas/quota-statements.ts";
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
  /** The quota of new accounts for which none is given. */
  readonly accountQuotaBytes?: number | undefined;
}

/** What a new account is made with besides its name. */
export interface NewAccountOptions {
  /** At most this is kept; null: without a limit; absent: as the configuration says. */
  readonly quotaBytes?: number | null | undefined;
}

const KEY_BYTES = 64;

/** The accounts, with opened keys, in memory: every request needs one. */
export class AccountDirectory {
  readonly #metadata: Metadata;
  readonly #secrets: SecretBox;
  readonly #developmentAccount: boolean;
  readonly #accountQuotaBytes: number | undefined;
  #accounts: ReadonlyMap<string, Account>;

  constructor(metadata: Metadata, secrets: SecretBox, options: AccountDirectoryOptions = {}) {
    this.#metadata = metadata;
    this.#secrets = secrets;
    this.#developmentAccount = options.developmentAccount ?? false;
    this.#accountQuotaBytes = options.accountQuotaBytes;
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
  async create(
    name: string,
    keys: readonly (string | undefined)[] = [],
    { quotaBytes = this.#accountQuotaBytes }: NewAccountOptions = {},
  ): Promise<Account> {
    if (!isAccountName(name)) {
      throw new StorageError("InvalidResourceName");
    }
    const [first, second] = keys;
    const sealed = [this.#sealedKey(name, first), this.#sealedKey(name, second)] as const;
    await this.#metadata.write("createAccount", { name, keys: sealed, quotaBytes: quotaBytes ?? undefined });
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

  /**
   * @param quotaBytes  undefined: no limit
   * @throws StorageError `ResourceNotFound`
   */
  async setQuota(name: string, quotaBytes: number | undefined): Promise<Account> {
    await this.#metadata.write("setAccountQuota", { accountId: this.get(name).id, quotaBytes });
    this.refresh();
    return this.get(name);
  }

  /**
   * Makes a key that blobs can be encrypted with by its name.
   *
   * @throws StorageError `ResourceNotFound`, `InvalidResourceName` or `ResourceAlreadyExists`
   */
  async createScope(name: string, scope: string): Promise<Account> {
    const { id: accountId } = this.get(name);
    if (!isScopeName(scope)) {
      const detail = "a scope's name has 3 to 63 lower-case letters, digits and single dashes between them";
      throw new StorageError("InvalidResourceName", { detail });
    }
    const key = sealNewKey(this.#secrets, accountId, scope);
    await this.#metadata.write("createScope", { accountId, name: scope, key });
    this.refresh();
    return this.get(name);
  }

  /** A disabled scope shuts all that is encrypted with it. @throws StorageError `ResourceNotFound` */
  async setScopeState(name: string, scope: string, isEnabled: boolean): Promise<Account> {
    const { id: accountId, encryptionScopes } = this.get(name);
    if (!encryptionScopes.has(scope)) {
      throw new StorageError("ResourceNotFound", { detail: `there is no encryption scope ${scope} in ${name}` });
    }
    await this.#metadata.write("setScopeState", { accountId, name: scope, isEnabled });
    this.refresh();
    return this.get(name);
  }

  /** The bytes that an account keeps now; counted only for those with a quota. */
  findUsedBytes({ id, quotaBytes }: Account): number | undefined {
    return quotaBytes === undefined ? undefined : this.#metadata.read(first(findQuota, { accountId: id }))?.used_bytes;
  }

  /**
   * Seals every account's keys and those of its scopes with the key that seals now. Ended in between, some are sealed
   * with the older one, which is kept until somebody says that all of it is done.
   *
   * @returns how many keys were sealed anew
   */
  async sealAnew(): Promise<number> {
    const rows = this.#metadata.read(all(listAccounts, {}));
    for (const { account_id: accountId, name, key_1: first, key_2: second } of rows) {
      for (const [which, sealedBefore] of [
        [1, first],
        [2, second],
      ] as const) {
        const context = contextOf(name);
        const key = this.#secrets.seal(this.#secrets.open(sealedBefore, context), context);
        await this.#metadata.write("resealAccountKey", { accountId, which, key, sealedBefore });
      }
    }
    return rows.length * 2 + (await sealScopesAnew(this.#metadata, this.#secrets));
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
    const quotas = new Map(
      this.#metadata.read(all(listQuotas, {})).map(({ account_id, quota_bytes }) => [account_id, quota_bytes]),
    );
    const scopes = loadScopes(this.#metadata, this.#secrets);
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
        const quotaBytes = quotas.get(id);
        const encryptionScopes = scopes.get(id) ?? noScopes;
        const served = { properties, corsRules, website };
        return [name, { id, name, keys, createdMs, loopbackOnly, settings, quotaBytes, encryptionScopes, ...served }];
      }),
    );
  }
}

const noScopes: EncryptionScopes = new Map();

function contextOf(accountName: string): string {
  return `storage account key ${accountName}`;
}
