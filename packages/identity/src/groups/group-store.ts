import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely } from "kysely";
import { ManagementError } from "../protocol/management-error.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type GroupRow, type IdentityTables } from "../store/tables.ts";
import { type Group, type GroupChange, type NewGroup } from "./group.ts";
import { type Principal, principalColumns, principalOf } from "./principal.ts";

const CACHE_LIMIT = 20_000;

/** Keeps groups and who belongs to them, directly or through other groups. */
export class GroupStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #byMember: EntityCache<readonly string[]>;
  readonly #listeners: (() => void)[] = [];

  constructor(database: Kysely<IdentityTables>, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#clock = clock;
    this.#byMember = new EntityCache((principalId) => this.#readGroupsOf(principalId), CACHE_LIMIT, changes);
  }

  /** Calls back after every change of who belongs to what. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async find(tenantId: string, id: string): Promise<Group | undefined> {
    if (id.includes("\0")) {
      return undefined;
    }
    const row = await this.#database
      .selectFrom("groups")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id.toLowerCase())
      .executeTakeFirst();
    return row === undefined ? undefined : groupOf(row);
  }

  /** Names need not be unique. */
  async findByName(tenantId: string, displayName: string): Promise<readonly Group[]> {
    if (displayName.includes("\0")) {
      return [];
    }
    const rows = await this.#database
      .selectFrom("groups")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("display_name", "=", displayName)
      .execute();
    return rows.map(groupOf);
  }

  /** Those of a tenant by name and id, after the one given. */
  async list(
    tenantId: string,
    limit: number,
    after?: { readonly displayName: string; readonly id: string },
  ): Promise<readonly Group[]> {
    const rows = await this.#database
      .selectFrom("groups")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .$if(after !== undefined, (query) =>
        query.where((where) =>
          where.or([
            where("display_name", ">", after?.displayName ?? ""),
            where.and([where("display_name", "=", after?.displayName ?? ""), where("id", ">", after?.id ?? "")]),
          ]),
        ),
      )
      .orderBy("display_name")
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(groupOf);
  }

  async create(tenantId: string, input: NewGroup): Promise<Group> {
    const id = randomUUID();
    const row: GroupRow = {
      id,
      tenant_id: tenantId,
      display_name: input.displayName,
      mail_nickname: input.mailNickname ?? id,
      description: input.description ?? null,
      created_at_ms: this.#clock.now(),
    };
    await this.#database.insertInto("groups").values(row).execute();
    return groupOf(row);
  }

  async update(group: Group, change: GroupChange): Promise<void> {
    const set = {
      ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
      ...(change.mailNickname === undefined ? {} : { mail_nickname: change.mailNickname }),
      ...(change.description === undefined ? {} : { description: change.description }),
    };
    if (Object.keys(set).length > 0) {
      await this.#database.updateTable("groups").set(set).where("id", "=", group.id).execute();
    }
  }

  async delete(group: Group): Promise<void> {
    await this.#database.deleteFrom("groups").where("id", "=", group.id).execute();
    await this.#changed();
  }

  /** @throws ManagementError when it is a member already, or the group itself */
  async addMember(group: Group, member: Principal): Promise<void> {
    if (member.id === group.id) {
      throw new ManagementError("Request_BadRequest", "A group cannot be a member of itself");
    }
    try {
      await this.#database
        .insertInto("group_members")
        .values({ group_id: group.id, ...principalColumns(member) })
        .execute();
    } catch (error) {
      throw isUniqueViolation(error)
        ? new ManagementError("Request_BadRequest", `The group has the member ${member.id} already`, { cause: error })
        : error;
    }
    await this.#changed();
  }

  /** @returns whether there was one */
  async removeMember(group: Group, memberId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom("group_members")
      .where("group_id", "=", group.id)
      .where("principal_id", "=", memberId.toLowerCase())
      .executeTakeFirst();
    await this.#changed();
    return numDeletedRows > 0n;
  }

  /** Direct members by id. */
  async membersOf(groupId: string): Promise<readonly Principal[]> {
    const rows = await this.#database
      .selectFrom("group_members")
      .selectAll()
      .where("group_id", "=", groupId)
      .orderBy("principal_id")
      .execute();
    return rows.map(principalOf);
  }

  /** Members through any number of groups inside the group. */
  async transitiveMembersOf(groupId: string): Promise<readonly Principal[]> {
    const found = new Map<string, Principal>();
    const open = [groupId];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const member of await this.membersOf(next)) {
        if (!found.has(member.id) && member.kind === "group") {
          open.push(member.id);
        }
        found.set(member.id, member);
      }
    }
    found.delete(groupId);
    return [...found.values()];
  }

  /** Ids of the groups that a principal itself is listed in. */
  async directGroupsOf(principalId: string): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom("group_members")
      .select("group_id")
      .where("principal_id", "=", principalId)
      .orderBy("group_id")
      .execute();
    return rows.map((row) => row.group_id);
  }

  /** Ids of all groups that a user, group or service principal belongs to, also through other groups, in order. */
  async groupsOf(principalId: string): Promise<readonly string[]> {
    return (await this.#byMember.find(principalId)) ?? [];
  }

  async #readGroupsOf(principalId: string): Promise<readonly string[]> {
    // `union` drops what was seen before, so that groups inside each other come to an end.
    const rows = await this.#database
      .withRecursive("reached(group_id)", (query) =>
        query
          .selectFrom("group_members")
          .select("group_id")
          .where("principal_id", "=", principalId)
          .union(
            query
              .selectFrom("group_members")
              .innerJoin("reached", "reached.group_id", "group_members.principal_id")
              .select("group_members.group_id"),
          ),
      )
      .selectFrom("reached")
      .select("group_id")
      .orderBy("group_id")
      .execute();
    return rows.map((row) => row.group_id);
  }

  async #changed(): Promise<void> {
    for (const listener of this.#listeners) {
      listener();
    }
    await this.#byMember.invalidate();
  }
}

/** A group as the database has it. */
export function groupOf(row: GroupRow): Group {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    displayName: row.display_name,
    mailNickname: row.mail_nickname,
    description: row.description ?? undefined,
    createdAtMs: row.created_at_ms,
  };
}
