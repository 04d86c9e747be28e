import { StartError } from "@trefoil/base";
import { type ImportedAccount } from "./account-file-2x.ts";
import { hashPassword, isPasswordOf, type PasswordHash } from "./password-hash.ts";
import { isRole, type Role } from "./roles.ts";

/** Somebody who may use the database. */
export interface Account {
  readonly name: string;
  readonly role: Role;
  /** Until the password is changed, this account is good for nothing else (graph-http §3). */
  readonly passwordChangeRequired: boolean;
  /** Known by a token of the identity provider: there is no password here to show or change. */
  readonly isForeign?: boolean;
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

/** A change of accounts that makes no sense; the message is for who asked. */
export class AccountError extends Error {
  override readonly name = "AccountError";
}

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
    await store.#put({
      name: FIRST_ACCOUNT,
      role: "admin",
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

  /** By name. */
  list(): readonly Account[] {
    return [...this.#accounts.values()]
      .map(({ name, role, passwordChangeRequired }) => ({ name, role, passwordChangeRequired }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Whether this is the account's password; takes the same time for names that don't exist. */
  async isPassword(name: string, password: string): Promise<boolean> {
    const account = this.#accounts.get(name);
    const matches = await isPasswordOf(password, account?.password ?? this.#decoy);
    if (matches && account?.password.algorithm === "sha-256") {
      await this.#strengthen(account, password);
    }
    return matches && account !== undefined;
  }

  /** Resolves once the new password is on disk. @throws AccountError */
  async changePassword(name: string, password: string, passwordChangeRequired = false): Promise<void> {
    checkPassword(password);
    const hash = await hashPassword(password);
    await this.#put({ ...this.#get(name), passwordChangeRequired, password: hash });
  }

  /** @throws AccountError  when there is one of that name, or the name cannot be one */
  async create(account: Omit<Account, "isForeign">, password: string): Promise<void> {
    const { name } = account;
    // A colon ends the name in the header that brings it.
    if (!/^[^\s:/]+$/u.test(name) || name.length > MAXIMUM_NAME_LENGTH) {
      throw new AccountError(`"${name}" cannot be a name: it must have no blanks, colons or slashes`);
    }
    checkPassword(password);
    const hash = await hashPassword(password);
    if (this.#accounts.has(name)) {
      throw new AccountError(`there is a user ${name} already`);
    }
    await this.#put({ ...account, password: hash });
  }

  /** @throws AccountError  for the last administrator */
  async setRole(name: string, role: Role): Promise<void> {
    const account = this.#get(name);
    this.#keepAnAdministrator(account, role);
    await this.#put({ ...account, role });
  }

  /** @throws AccountError  for the last administrator */
  async delete(name: string): Promise<void> {
    this.#keepAnAdministrator(this.#get(name), undefined);
    const accounts = new Map(this.#accounts);
    accounts.delete(name);
    await this.#replace(accounts);
  }

  /** Takes accounts over as administrators, which all accounts of a 2.x installation were; same names are replaced. */
  async import(imported: readonly ImportedAccount[]): Promise<void> {
    const accounts = new Map(this.#accounts);
    for (const account of imported) {
      accounts.set(account.name, { ...account, role: "admin" });
    }
    await this.#replace(accounts);
  }

  #get(name: string): StoredAccount {
    const account = this.#accounts.get(name);
    if (account === undefined) {
      throw new AccountError(`there is no user ${name}`);
    }
    return account;
  }

  #keepAnAdministrator(account: StoredAccount, role: Role | undefined): void {
    const others = [...this.#accounts.values()].filter(({ name }) => name !== account.name);
    if (account.role === "admin" && role !== "admin" && !others.some((other) => other.role === "admin")) {
      throw new AccountError(`${account.name} is the last administrator`);
    }
  }

  /** An imported hash gives way to a slow one as soon as the password is known. */
  async #strengthen(account: StoredAccount, password: string): Promise<void> {
    const hash = await hashPassword(password);
    if (this.#accounts.get(account.name) === account) {
      await this.#put({ ...account, password: hash });
    }
  }

  #put(account: StoredAccount): Promise<void> {
    return this.#replace(new Map(this.#accounts).set(account.name, account));
  }

  async #replace(accounts: ReadonlyMap<string, StoredAccount>): Promise<void> {
    this.#accounts = accounts;
    this.#onChange();
    const content: AccountFile = { version: 1, accounts: [...accounts.values()] };
    const write = (): Promise<void> => this.#storage.replace(`${JSON.stringify(content, undefined, 2)}\n`);
    // One after the other, also after one that failed.
    this.#lastWrite = this.#lastWrite.then(write, write);
    await this.#lastWrite;
  }
}

const MAXIMUM_NAME_LENGTH = 200;

function checkPassword(password: string): void {
  if (password === "") {
    throw new AccountError("a password cannot be empty");
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
  return new Map(
    content.accounts.map((account: Omit<StoredAccount, "role"> & { readonly role?: unknown }) => {
      // Files from before there were roles hold administrators; a role nobody knows is not taken for more than it says.
      const role = account.role === undefined ? "admin" : isRole(account.role) ? account.role : "reader";
      return [account.name, { ...account, role }];
    }),
  );
}
