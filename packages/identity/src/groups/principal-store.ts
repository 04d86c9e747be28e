import { type Kysely } from "kysely";
import { DIRECTORY_APP_ID, directoryServicePrincipalId } from "../applications/directory-resource.ts";
import { type IdentityTables } from "../store/tables.ts";
import { userOf } from "../users/user-store.ts";
import { groupOf } from "./group-store.ts";
import { type NamedPrincipal } from "./principal.ts";

/** Below the number of parameters that both databases take. */
const IDS_AT_ONCE = 500;

/** Finds users, groups and service principals by nothing but their id. */
export class PrincipalStore {
  readonly #database: Kysely<IdentityTables>;

  constructor(database: Kysely<IdentityTables>) {
    this.#database = database;
  }

  async find(tenantId: string, id: string): Promise<NamedPrincipal | undefined> {
    return (await this.findAll(tenantId, [id])).at(0);
  }

  /** Those of a tenant among the given ids, in the order of the ids; unknown ones are left out. */
  async findAll(tenantId: string, ids: readonly string[]): Promise<readonly NamedPrincipal[]> {
    const found = new Map<string, NamedPrincipal>();
    const wanted = [...new Set(ids.filter((id) => !id.includes("\0")).map((id) => id.toLowerCase()))];
    for (let start = 0; start < wanted.length; start += IDS_AT_ONCE) {
      for (const principal of await this.#read(tenantId, wanted.slice(start, start + IDS_AT_ONCE))) {
        found.set(principal.id, principal);
      }
    }
    const directory = directoryServicePrincipalId(tenantId);
    found.set(directory, {
      id: directory,
      kind: "servicePrincipal",
      displayName: "Directory",
      appId: DIRECTORY_APP_ID,
    });
    return wanted.map((id) => found.get(id)).filter((each) => each !== undefined);
  }

  async #read(tenantId: string, ids: readonly string[]): Promise<readonly NamedPrincipal[]> {
    const [users, groups, principals] = await Promise.all([
      this.#database.selectFrom("users").selectAll().where("tenant_id", "=", tenantId).where("id", "in", ids).execute(),
      this.#database
        .selectFrom("groups")
        .selectAll()
        .where("tenant_id", "=", tenantId)
        .where("id", "in", ids)
        .execute(),
      this.#database
        .selectFrom("service_principals")
        .innerJoin("applications", "applications.id", "service_principals.application_id")
        .select(["service_principals.id", "applications.display_name", "applications.app_id"])
        .where("service_principals.tenant_id", "=", tenantId)
        .where("service_principals.id", "in", ids)
        .execute(),
    ]);
    return [
      ...users.map((row) => ({ id: row.id, kind: "user", displayName: row.display_name, user: userOf(row) }) as const),
      ...groups.map(
        (row) => ({ id: row.id, kind: "group", displayName: row.display_name, group: groupOf(row) }) as const,
      ),
      ...principals.map(
        (row) => ({ id: row.id, kind: "servicePrincipal", displayName: row.display_name, appId: row.app_id }) as const,
      ),
    ];
  }
}
