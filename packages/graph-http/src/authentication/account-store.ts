import { StartError } from "@trefoil/base";
import { hashPassword, isPasswordOf, type PasswordHash } from "./password-hash.ts";

/** Somebody who may use the database. */
export interface Account {
  readonly name: string;
  /** Until the password is changed, this account is good for nothing else (graph-http §3). */
  readonly passwordChangeRequired: boolean;
}

interface StoredAccount extends Account {
  readonly password: PasswordHash;
}

interface AccountFile {
  readonly version: 1;
  readonly accounts: readonly StoredAccount[];
}

/** Where the accounts are kept: one text that is replaced as a whole, durably, or not at all. */
export interface AccountStorage {
  /** Named in errors. */
  readonly name: string;
  /** Undefined when nothing was ever kept. */
  read(): Promise<string | undefined>;
  /** Resolves once the text is on disk. */
  replace(text: string): Promise<void>;
}

/** The account that a first start makes; its initial password is known to everyone and must be changed. */
export const FIRST_ACCOUNT = "neo4j";
const FIRST_PASSWORD = "neo4j";

/** The accounts: all of them in memory, every change kept before it is acknowledged. */
export class AccountStore {
  readonly #storage: AccountStorage;
  #accounts: ReadonlyMap<string, StoredAccount>;
  #lastWrite: Promise<void> = Promise.resolve();
  #onChange: () => void = () => undefined;
  /** Checked for names that don't exist, so that they take as long as those that do. */
  readonly #decoy: PasswordHash;

  private constructor(storage: AccountStorage, accounts: ReadonlyMap<string, StoredAccount>, decoy: PasswordHash) {
    this.#storage = storage;
    this.#accounts = accounts;
    this.#decoy = decoy;
  }

  /**
   * Reads the accounts, making the first one when there are none. With `initialPassword` that account
   * has this password and may use it; otherwise it has the well-known one and must change it first.
   *
   * @throws StartError "store" when what is kept is not ours
   */
  static async open(storage: AccountStorage, initialPassword: string | undefined): Promise<AccountStore> {
    const accounts = await readAccounts(storage);
    const decoy = await hashPassword("");
    if (accounts !== undefined) {
      return new AccountStore(storage, accounts, decoy);
    }
    const store = new AccountStore(storage, new Map(), decoy);
    await store.#replace({
      name: FIRST_ACCOUNT,
      passwordChangeRequired: initialPassword === undefined,
      password: await hashPassword(initialPassword ?? FIRST_PASSWORD),
    });
    return store;
  }

  /** Calls `listener` after every change of an account. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  find(name: string): Account | undefined {
    return this.#accounts.get(name);
  }

  /** Whether this is the account's password; takes the same time for names that don't exist. */
  async isPassword(name: string, password: string): Promise<boolean> {
    const account = this.#accounts.get(name);
    const matches = await isPasswordOf(password, account?.password ?? this.#decoy);
    return matches && account !== undefined;
  }

  /** Resolves once the new password is on disk; it needs no further change. */
  async changePassword(name: string, password: string): Promise<void> {
    await this.#replace({ name, passwordChangeRequired: false, password: await hashPassword(password) });
  }

  async #replace(account: StoredAccount): Promise<void> {
    this.#accounts = new Map(this.#accounts).set(account.name, account);
    this.#onChange();
    const content: AccountFile = { version: 1, accounts: [...this.#accounts.values()] };
    this.#lastWrite = this.#lastWrite.then(() => this.#storage.replace(`${JSON.stringify(content, undefined, 2)}\n`));
    await this.#lastWrite;
  }
}

async function readAccounts(storage: AccountStorage): Promise<ReadonlyMap<string, StoredAccount> | undefined> {
  const text = await storage.read();
  if (text === undefined) {
    return undefined;
  }
  let content: Partial<AccountFile>;
  try {
    content = JSON.parse(text) as Partial<AccountFile>;
  } catch (error) {
    throw new StartError("store", `The account file ${storage.name} cannot be read.`, { cause: error });
  }
  if (content.version !== 1 || !Array.isArray(content.accounts)) {
    throw new StartError("store", `The account file ${storage.name} is not of a version this server knows.`);
  }
  return new Map(content.accounts.map((account: StoredAccount) => [account.name, account]));
}
