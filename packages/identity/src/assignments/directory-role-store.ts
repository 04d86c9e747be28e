import { type Kysely } from "kysely";
import { type IdentityTables } from "../store/tables.ts";

/** Keeps who has which role in the directory itself. */
export class DirectoryRoleStore {
  readonly #database: Kysely<IdentityTables>;

  constructor(database: Kysely<IdentityTables>) {
    this.#database = database;
  }

  /** Names of the roles of a user or service principal. */
  async rolesOf(tenantId: string, principalId: string): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom("directory_role_members")
      .select("role")
      .where("tenant_id", "=", tenantId)
      .where("principal_id", "=", principalId)
      .orderBy("role")
      .execute();
    return rows.map((row) => row.role);
  }

  /** Ids of the principals that have a role. */
  async membersOf(tenantId: string, role: string): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom("directory_role_members")
      .select("principal_id")
      .where("tenant_id", "=", tenantId)
      .where("role", "=", role)
      .orderBy("principal_id")
      .execute();
    return rows.map((row) => row.principal_id);
  }

  /** Has no effect when the principal has the role already. */
  async add(tenantId: string, role: string, principalId: string): Promise<void> {
    await this.#database
      .insertInto("directory_role_members")
      .values({ tenant_id: tenantId, principal_id: principalId, role })
      .onConflict((conflict) => conflict.columns(["principal_id", "tenant_id", "role"]).doNothing())
      .execute();
  }

  /** @returns whether the principal had it */
  async remove(tenantId: string, role: string, principalId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom("directory_role_members")
      .where("tenant_id", "=", tenantId)
      .where("role", "=", role)
      .where("principal_id", "=", principalId.toLowerCase())
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
}
