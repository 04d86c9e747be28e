import { StartError } from "@trefoil/base";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
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

/** The account that a first start makes; its initial password is known to everyone and must be changed. */
export const FIRST_ACCOUNT = "neo4j";
const FIRST_PASSWORD = "neo4j";

/**
 * The accounts, kept in one small file (0600) that is replaced as a whole: beside, synced, renamed, so that a crash
 * leaves the old one or the new one.
 */
export class AccountStore {
  readonly #file: string;
  #accounts: ReadonlyMap<string, StoredAccount>;
  #lastWrite: Promise<void> = Promise.resolve();
  #onChange: () => void = () => undefined;
  /** Checked for names that don't exist, so that they take as long as those that do. */
  readonly #decoy: PasswordHash;

  private constructor(file: string, accounts: ReadonlyMap<string, StoredAccount>, decoy: PasswordHash) {
    this.#file = file;
    this.#accounts = accounts;
    this.#decoy = decoy;
  }

  /**
   * Opens the account file, making it with the first account when there is none. With `initialPassword` that account
   * has this password and may use it; otherwise it has the well-known one and must change it first.
   *
   * @throws StartError "store" when the file is not one of ours
   */
  static async open(file: string, initialPassword: string | undefined): Promise<AccountStore> {
    const accounts = await readAccounts(file);
    const decoy = await hashPassword("");
    if (accounts !== undefined) {
      return new AccountStore(file, accounts, decoy);
    }
    const store = new AccountStore(file, new Map(), decoy);
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
    this.#lastWrite = this.#lastWrite.then(() => replaceFile(this.#file, `${JSON.stringify(content, undefined, 2)}\n`));
    await this.#lastWrite;
  }
}

async function readAccounts(file: string): Promise<ReadonlyMap<string, StoredAccount> | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
  try {
    const content = JSON.parse(text) as Partial<AccountFile>;
    if (content.version === 1 && Array.isArray(content.accounts)) {
      return new Map(content.accounts.map((account: StoredAccount) => [account.name, account]));
    }
  } catch (error) {
    throw new StartError("store", `The account file ${file} cannot be read.`, { cause: error });
  }
  throw new StartError("store", `The account file ${file} is not of a version this server knows.`);
}

async function replaceFile(file: string, content: string): Promise<void> {
  const beside = `${file}.new`;
  const handle = await open(beside, "w", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, file);
  const folder = await open(dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
