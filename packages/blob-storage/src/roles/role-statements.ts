import { type Statement, statement } from "../metadata/statement.ts";
import { type RoleAssignmentRow } from "../metadata/tables.ts";

export const insertRoleAssignment: Statement<RoleAssignmentRow, unknown> = statement((database, bind) =>
  database
    .insertInto("role_assignments")
    .values({
      account_id: bind("account_id"),
      principal: bind("principal"),
      container: bind("container"),
      role: bind("role"),
      assigned_ms: bind("assigned_ms"),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export type RoleAssignmentKey = Omit<RoleAssignmentRow, "assigned_ms">;

export const findRoleAssignment: Statement<RoleAssignmentKey, RoleAssignmentRow> = statement((database, bind) =>
  database
    .selectFrom("role_assignments")
    .selectAll()
    .where("account_id", "=", bind("account_id"))
    .where("principal", "=", bind("principal"))
    .where("container", "=", bind("container"))
    .where("role", "=", bind("role")),
);

export const deleteRoleAssignment: Statement<RoleAssignmentKey, unknown> = statement((database, bind) =>
  database
    .deleteFrom("role_assignments")
    .where("account_id", "=", bind("account_id"))
    .where("principal", "=", bind("principal"))
    .where("container", "=", bind("container"))
    .where("role", "=", bind("role")),
);

export const listRoleAssignments: Statement<{ readonly accountId: number }, RoleAssignmentRow> = statement(
  (database, bind) =>
    database
      .selectFrom("role_assignments")
      .selectAll()
      .where("account_id", "=", bind("accountId"))
      .orderBy("principal")
      .orderBy("container")
      .orderBy("role"),
);

export interface PrincipalInContainer {
  readonly accountId: number;
  readonly principal: string;
  readonly container: string;
}

/** Those over the container and those over the whole account. */
export const findRolesOf: Statement<PrincipalInContainer, Pick<RoleAssignmentRow, "role">> = statement(
  (database, bind) =>
    database
      .selectFrom("role_assignments")
      .select("role")
      .where("account_id", "=", bind("accountId"))
      .where("principal", "=", bind("principal"))
      .where((row) => row.or([row("container", "=", ""), row("container", "=", bind("container"))])),
);
