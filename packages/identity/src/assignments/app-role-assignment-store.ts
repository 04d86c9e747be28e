import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely } from "kysely";
import { type AppRole } from "../applications/application.ts";
import { type GroupStore } from "../groups/group-store.ts";
import { type Principal, principalColumns, principalOf } from "../groups/principal.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type AppRoleAssignmentRow, type IdentityTables } from "../store/tables.ts";
import { type AssignedResource } from "./assigned-resource.ts";

/** A role of a resource in somebody's hands. */
export interface AppRoleAssignment {
  readonly id: string;
  readonly tenantId: string;
  readonly principal: Principal;
  readonly resourceAppId: string;
  readonly appRoleId: string;
  readonly createdAtMs: number;
}

/** Access to a resource without one of its roles. */
export const NO_ROLE = "00000000-0000-0000-0000-000000000000";

const CACHE_LIMIT = 20_000;

/** Keeps which roles users, groups and applications have; answers without a query once known. */
export class AppRoleAssignmentStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #groups: GroupStore;
  /** Keys are tenant, principal and the resource's client id. */
  readonly #roleIds: EntityCache<readonly string[]>;

  constructor(database: Kysely<IdentityTables>, groups: GroupStore, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#clock = clock;
    this.#groups = groups;
    this.#roleIds = new EntityCache((key) => this.#readRoleIds(key), CACHE_LIMIT, changes);
    groups.onChange(() => this.#roleIds.forget());
  }

  /**
   * The values of the roles that a principal has at a resource, directly or through groups: what the `roles` claim
   * lists.
   */
  async rolesOf(
    tenantId: string,
    principalId: string,
    resource: { readonly appId: string; readonly appRoles: readonly AppRole[] },
  ): Promise<readonly string[]> {
    const ids = await this.#assignedIds(tenantId, principalId, resource.appId);
    return resource.appRoles.filter((role) => role.isEnabled && ids.includes(role.id)).map((role) => role.value);
  }

  /** Whether a principal was given the resource at all, with or without a role. */
  async isAssigned(tenantId: string, principalId: string, resourceAppId: string): Promise<boolean> {
    return (await this.#assignedIds(tenantId, principalId, resourceAppId)).length > 0;
  }

  /** @throws ManagementError when the role isn't the resource's, isn't for such principals, or is assigned already */
  async assign(
    tenantId: string,
    principal: Principal,
    resource: AssignedResource,
    appRoleId: string,
  ): Promise<AppRoleAssignment> {
    checkRole(principal, resource, appRoleId);
    const row: AppRoleAssignmentRow = {
      id: randomUUID(),
      tenant_id: tenantId,
      ...principalColumns(principal),
      app_role_id: appRoleId,
      resource_app_id: resource.appId,
      resource_application_id: resource.applicationId ?? null,
      created_at_ms: this.#clock.now(),
    };
    try {
      await this.#database.insertInto("app_role_assignments").values(row).execute();
    } catch (error) {
      throw isUniqueViolation(error)
        ? new ManagementError("Request_BadRequest", "The principal has this role already", { cause: error })
        : error;
    } finally {
      await this.#roleIds.invalidate();
    }
    return assignmentOf(row);
  }

  /** @returns whether there was one */
  async remove(tenantId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom("app_role_assignments")
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id.toLowerCase())
      .executeTakeFirst();
    await this.#roleIds.invalidate();
    return numDeletedRows > 0n;
  }

  /** Those of a tenant that match, oldest first. */
  async list(
    tenantId: string,
    filter: { readonly principalId?: string; readonly resourceAppId?: string } = {},
  ): Promise<readonly AppRoleAssignment[]> {
    let query = this.#database.selectFrom("app_role_assignments").selectAll().where("tenant_id", "=", tenantId);
    if (filter.principalId !== undefined) {
      query = query.where("principal_id", "=", filter.principalId);
    }
    if (filter.resourceAppId !== undefined) {
      query = query.where("resource_app_id", "=", filter.resourceAppId);
    }
    return (await query.orderBy("created_at_ms").orderBy("id").execute()).map(assignmentOf);
  }

  async #assignedIds(tenantId: string, principalId: string, resourceAppId: string): Promise<readonly string[]> {
    return (await this.#roleIds.find(`${tenantId} ${principalId} ${resourceAppId}`)) ?? [];
  }

  async #readRoleIds(key: string): Promise<readonly string[]> {
    const [tenantId = "", principalId = "", resourceAppId = ""] = key.split(" ");
    const holders = [principalId, ...(await this.#groups.groupsOf(principalId))];
    const rows = await this.#database
      .selectFrom("app_role_assignments")
      .select("app_role_id")
      .distinct()
      .where("tenant_id", "=", tenantId)
      .where("resource_app_id", "=", resourceAppId)
      .where("principal_id", "in", holders)
      .execute();
    return rows.map((row) => row.app_role_id);
  }
}

function checkRole(principal: Principal, resource: AssignedResource, appRoleId: string): void {
  if (appRoleId === NO_ROLE) {
    return;
  }
  const role = resource.appRoles.find((each) => each.id === appRoleId);
  if (role === undefined) {
    throw new ManagementError("Request_BadRequest", `'${resource.displayName}' has no role ${appRoleId}`);
  }
  const memberType = principal.kind === "servicePrincipal" ? "Application" : "User";
  if (!role.allowedMemberTypes.includes(memberType)) {
    throw new ManagementError("Request_BadRequest", `The role '${role.value}' is not for a ${principal.kind}`);
  }
}

function assignmentOf(row: AppRoleAssignmentRow): AppRoleAssignment {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    principal: principalOf(row),
    resourceAppId: row.resource_app_id,
    appRoleId: row.app_role_id,
    createdAtMs: row.created_at_ms,
  };
}
