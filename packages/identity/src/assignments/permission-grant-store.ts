import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { whenKnown } from "../store/when-known.ts";
import { type IdentityTables, type PermissionGrantRow } from "../store/tables.ts";

/** A consent: delegated permissions that a client has on a resource, for one user or for everybody. */
export interface PermissionGrant {
  readonly id: string;
  readonly tenantId: string;
  /** Object id of the client's registration. */
  readonly clientApplicationId: string;
  readonly resourceAppId: string;
  /** Undefined when an administrator consented for everybody. */
  readonly userId: string | undefined;
  /** Names of scopes; OpenID's own belong to the built-in directory. */
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
}

/** Whom a consent binds: a user's id, or everybody in the tenant. */
export type ConsentedBy = { readonly userId: string } | "everybody";

export interface NewPermissionGrant {
  readonly tenantId: string;
  readonly clientApplicationId: string;
  readonly resource: { readonly appId: string; readonly applicationId: string | undefined };
  readonly consentedBy: ConsentedBy;
  readonly scopes: readonly string[];
}

const EVERYBODY = "*";
const CACHE_LIMIT = 20_000;

/** Keeps consents; what a client may do for a user is known without a query once asked for. */
export class PermissionGrantStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  /** Keys are tenant, client, resource and user. */
  readonly #scopes: EntityCache<ReadonlySet<string>>;

  constructor(database: Kysely<IdentityTables>, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#clock = clock;
    this.#scopes = new EntityCache((key) => this.#readScopes(key), CACHE_LIMIT, changes);
  }

  /** The scopes that a client has at a resource on behalf of a user, by the user's own consent and by everybody's. */
  grantedScopes(
    tenantId: string,
    clientApplicationId: string,
    resourceAppId: string,
    userId: string,
  ): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    const name = `${tenantId} ${clientApplicationId} ${resourceAppId} ${userId}`;
    return whenKnown<ReadonlySet<string> | undefined, ReadonlySet<string>>(
      this.#scopes.find(name),
      (scopes) => scopes ?? new Set(),
    );
  }

  /** Adds scopes to what was consented to before. */
  async grant(grant: NewPermissionGrant): Promise<PermissionGrant> {
    const consentedBy = grant.consentedBy === "everybody" ? EVERYBODY : grant.consentedBy.userId;
    const written = await this.#database.transaction().execute(async (transaction) => {
      const before = await transaction
        .selectFrom("permission_grants")
        .selectAll()
        .where("tenant_id", "=", grant.tenantId)
        .where("client_application_id", "=", grant.clientApplicationId)
        .where("resource_app_id", "=", grant.resource.appId)
        .where("consented_by", "=", consentedBy)
        .executeTakeFirst();
      const row: PermissionGrantRow = {
        id: before?.id ?? randomUUID(),
        tenant_id: grant.tenantId,
        client_application_id: grant.clientApplicationId,
        resource_app_id: grant.resource.appId,
        resource_application_id: grant.resource.applicationId ?? null,
        consented_by: consentedBy,
        user_id: consentedBy === EVERYBODY ? null : consentedBy,
        scope: [...new Set([...(before === undefined ? [] : scopesOf(before)), ...grant.scopes])].join(" "),
        created_at_ms: before?.created_at_ms ?? this.#clock.now(),
      };
      await transaction
        .insertInto("permission_grants")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ scope: row.scope }))
        .execute();
      return row;
    });
    await this.#scopes.invalidate();
    return grantOf(written);
  }

  /** Replaces the scopes of a consent; none at all removes it. */
  async update(tenantId: string, id: string, scopes: readonly string[]): Promise<void> {
    if (scopes.length === 0) {
      await this.remove(tenantId, id);
      return;
    }
    await this.#database
      .updateTable("permission_grants")
      .set({ scope: scopes.join(" ") })
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .execute();
    await this.#scopes.invalidate();
  }

  /** @returns whether there was one */
  async remove(tenantId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom("permission_grants")
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id.toLowerCase())
      .executeTakeFirst();
    await this.#scopes.invalidate();
    return numDeletedRows > 0n;
  }

  async find(tenantId: string, id: string): Promise<PermissionGrant | undefined> {
    const row = await this.#database
      .selectFrom("permission_grants")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id.toLowerCase())
      .executeTakeFirst();
    return row === undefined ? undefined : grantOf(row);
  }

  /** Those of a tenant that match, oldest first. */
  async list(
    tenantId: string,
    filter: { readonly clientApplicationId?: string; readonly userId?: string } = {},
  ): Promise<readonly PermissionGrant[]> {
    let query = this.#database.selectFrom("permission_grants").selectAll().where("tenant_id", "=", tenantId);
    if (filter.clientApplicationId !== undefined) {
      query = query.where("client_application_id", "=", filter.clientApplicationId);
    }
    if (filter.userId !== undefined) {
      query = query.where("user_id", "=", filter.userId);
    }
    return (await query.orderBy("created_at_ms").orderBy("id").execute()).map(grantOf);
  }

  async #readScopes(key: string): Promise<ReadonlySet<string>> {
    const [tenantId = "", clientApplicationId = "", resourceAppId = "", userId = ""] = key.split(" ");
    const rows = await this.#database
      .selectFrom("permission_grants")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("client_application_id", "=", clientApplicationId)
      .where("resource_app_id", "=", resourceAppId)
      .where("consented_by", "in", [EVERYBODY, userId])
      .execute();
    return new Set(rows.flatMap(scopesOf));
  }
}

function scopesOf(row: PermissionGrantRow): readonly string[] {
  return row.scope.split(" ").filter((name) => name !== "");
}

function grantOf(row: PermissionGrantRow): PermissionGrant {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    clientApplicationId: row.client_application_id,
    resourceAppId: row.resource_app_id,
    userId: row.user_id ?? undefined,
    scopes: scopesOf(row),
    createdAtMs: row.created_at_ms,
  };
}
