import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation, PreparedQuery } from "@trefoil/database";
import { type Kysely } from "kysely";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityTables, type UserRow } from "../store/tables.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type PasswordHashing } from "./password-hashing.ts";
import { checkNewPassword } from "./password-rules.ts";
import { type User } from "./user.ts";

export interface NewUser {
  readonly userPrincipalName: string;
  readonly displayName: string;
  readonly givenName?: string | null | undefined;
  readonly surname?: string | null | undefined;
  readonly mail?: string | null | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly password?: string | undefined;
  readonly mustChangePassword?: boolean | undefined;
  /** Directory roles it gets at once, in the same transaction. */
  readonly roles?: readonly string[] | undefined;
}

/** What of a user may change; absent members stay, null takes one away. */
export interface UserChange {
  readonly userPrincipalName?: string | undefined;
  readonly displayName?: string | undefined;
  readonly givenName?: string | null | undefined;
  readonly surname?: string | null | undefined;
  readonly mail?: string | null | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly password?: string | undefined;
  readonly mustChangePassword?: boolean | undefined;
}

/** A local part and a domain; no blanks, quotes or control characters. (RFC 5321 §4.1.2, without quoting) */
const USER_PRINCIPAL_NAME = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9.-]{3,253}$/iu;

/** Keeps the users. */
export class UserStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #passwords: PasswordHashing;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, passwords: PasswordHashing, clock: Clock) {
    this.#database = database;
    this.#passwords = passwords;
    this.#clock = clock;
  }

  findByName(tenantId: string, userPrincipalName: string): Promise<User | undefined> {
    return this.#find(userByName, tenantId, userPrincipalName.toLowerCase());
  }

  findById(tenantId: string, id: string): Promise<User | undefined> {
    return this.#find(userById, tenantId, id.toLowerCase());
  }

  /** Those of a tenant by sign-in name. */
  async list(tenantId: string): Promise<readonly User[]> {
    const rows = await this.#database
      .selectFrom("users")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .orderBy("user_principal_name_lower")
      .execute();
    return rows.map(userOf);
  }

  /** Those of a tenant by sign-in name, after the one given in lower case. */
  async page(tenantId: string, limit: number, after?: string): Promise<readonly User[]> {
    const rows = await this.#database
      .selectFrom("users")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("user_principal_name_lower", ">", after ?? "")
      .orderBy("user_principal_name_lower")
      .limit(limit)
      .execute();
    return rows.map(userOf);
  }

  /** Ends every session and grant made before now. */
  async endSessions(user: User): Promise<void> {
    await this.#database
      .updateTable("users")
      .set({ sessions_valid_from_ms: this.#clock.now() })
      .where("id", "=", user.id)
      .execute();
  }

  /** @throws ManagementError for a malformed or taken name, a domain of another tenant, a weak password */
  async create(tenant: Tenant, input: NewUser): Promise<User> {
    checkUserName(tenant, input.userPrincipalName);
    const row: UserRow = {
      id: randomUUID(),
      tenant_id: tenant.id,
      user_principal_name: input.userPrincipalName,
      user_principal_name_lower: input.userPrincipalName.toLowerCase(),
      display_name: input.displayName,
      given_name: input.givenName ?? null,
      surname: input.surname ?? null,
      mail: input.mail ?? null,
      is_enabled: input.isEnabled === false ? 0 : 1,
      password_hash: input.password === undefined ? null : await this.#hash(input.password),
      must_change_password: input.mustChangePassword === true ? 1 : 0,
      sessions_valid_from_ms: 0,
      created_at_ms: this.#clock.now(),
    };
    try {
      await this.#database.transaction().execute(async (transaction) => {
        await transaction.insertInto("users").values(row).execute();
        for (const role of input.roles ?? []) {
          const member = { tenant_id: tenant.id, principal_id: row.id, role };
          await transaction.insertInto("directory_role_members").values(member).execute();
        }
      });
    } catch (error) {
      throw nameTaken(error, input.userPrincipalName);
    }
    return userOf(row);
  }

  /**
   * A new password ends every session and grant made before.
   *
   * @throws ManagementError for a weak password, and for a sign-in name that is taken
   */
  async update(user: User, change: UserChange): Promise<void> {
    const password =
      change.password === undefined
        ? {}
        : { password_hash: await this.#hash(change.password), sessions_valid_from_ms: this.#clock.now() };
    const { userPrincipalName } = change;
    const set = {
      ...password,
      ...present("user_principal_name", userPrincipalName),
      ...present("user_principal_name_lower", userPrincipalName?.toLowerCase()),
      ...present("display_name", change.displayName),
      ...present("given_name", change.givenName),
      ...present("surname", change.surname),
      ...present("mail", change.mail),
      ...present("is_enabled", flag(change.isEnabled)),
      ...present("must_change_password", flag(change.mustChangePassword)),
    };
    if (Object.keys(set).length === 0) {
      return;
    }
    try {
      await this.#database.updateTable("users").set(set).where("id", "=", user.id).execute();
    } catch (error) {
      throw nameTaken(error, userPrincipalName ?? user.userPrincipalName);
    }
  }

  async delete(user: User): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("directory_role_members").where("principal_id", "=", user.id).execute();
      await transaction.deleteFrom("users").where("id", "=", user.id).execute();
    });
  }

  async rolesOf(user: User): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom("directory_role_members")
      .select("role")
      .where("principal_id", "=", user.id)
      .orderBy("role")
      .execute();
    return rows.map((row) => row.role);
  }

  #hash(password: string): Promise<string> {
    checkNewPassword(password);
    return this.#passwords.hash(password);
  }

  async #find(query: UserQuery, tenantId: string, value: string): Promise<User | undefined> {
    if (value.includes("\0")) {
      return undefined;
    }
    const [row] = (await query.run(this.#database, { tenantId, value })).rows;
    return row === undefined ? undefined : userOf(row);
  }
}

type UserQuery = PreparedQuery<IdentityTables, { readonly tenantId: string; readonly value: string }, UserRow>;

function userBy(column: "id" | "user_principal_name_lower"): UserQuery {
  return new PreparedQuery((database, { tenantId, value }) =>
    database.selectFrom("users").selectAll().where("tenant_id", "=", tenantId).where(column, "=", value).limit(1),
  );
}

const userByName = userBy("user_principal_name_lower");
const userById = userBy("id");

/** @throws ManagementError for a malformed sign-in name, and for one of another tenant's domain */
export function checkUserName(tenant: Tenant, name: string): void {
  if (!USER_PRINCIPAL_NAME.test(name)) {
    throw new ManagementError("Request_BadRequest", `'${name}' is not a user name like alice@${tenant.defaultDomain}`);
  }
  const domain = name.slice(name.indexOf("@") + 1).toLowerCase();
  if (!tenant.domains.includes(domain)) {
    throw new ManagementError("Request_BadRequest", `${domain} is not a domain of the tenant ${tenant.displayName}`);
  }
}

function nameTaken(error: unknown, name: string): unknown {
  return isUniqueViolation(error)
    ? new ManagementError("Request_Conflict", `There already is a user ${name}`, { cause: error })
    : error;
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): { [K in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [K in Name]: Value });
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** A user as the database has it. */
export function userOf(row: UserRow): User {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    userPrincipalName: row.user_principal_name,
    displayName: row.display_name,
    givenName: row.given_name ?? undefined,
    surname: row.surname ?? undefined,
    mail: row.mail ?? undefined,
    isEnabled: row.is_enabled === 1,
    passwordHash: row.password_hash ?? undefined,
    mustChangePassword: row.must_change_password === 1,
    sessionsValidFromMs: row.sessions_valid_from_ms,
    createdAtMs: row.created_at_ms,
  };
}
