import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all, first, run } from "../metadata/steps.ts";
import { type Role, type RoleAssignmentRow } from "../metadata/tables.ts";
import {
  deleteRoleAssignment,
  findRoleAssignment,
  findRolesOf,
  insertRoleAssignment,
  listRoleAssignments,
  type RoleAssignmentKey,
} from "./role-statements.ts";

export const ROLES: readonly Role[] = ["Reader", "Contributor", "Owner"];

/**
 * The roles that a principal of the identity provider has in a container, by assignments over it or over the whole
 * account (rulings, Objects 4). Asked anew for each request, so that a removed assignment ends at once.
 *
 * @param principal  the object id, `oid` of a token
 * @param container  `undefined` where an operation is on the account itself: only account-wide roles count
 */
export function rolesOf(
  metadata: Metadata,
  accountId: number,
  principal: string,
  container: string | undefined,
): readonly Role[] {
  const rows = metadata.read(all(findRolesOf, { accountId, principal, container: container ?? "" }));
  return [...new Set(rows.map(({ role }) => role))];
}

/** Every assignment of an account. */
export function listRoles(metadata: Metadata, accountId: number): readonly RoleAssignmentRow[] {
  return metadata.read(all(listRoleAssignments, { accountId }));
}

/** Adding what is there already changes nothing. */
export const addRoleAssignment: Command<RoleAssignmentKey, null> = function* (input, context) {
  yield* run(insertRoleAssignment, { ...input, assigned_ms: context.nowMs });
  return null;
};

/** @throws StorageError `ResourceNotFound` when there is no such assignment: a typing error must not look like success */
export const removeRoleAssignment: Command<RoleAssignmentKey, null> = function* (input) {
  if ((yield* first(findRoleAssignment, input)) === undefined) {
    throw new StorageError("ResourceNotFound");
  }
  yield* run(deleteRoleAssignment, input);
  return null;
};
