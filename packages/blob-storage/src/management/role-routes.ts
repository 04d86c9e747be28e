import { type FastifyInstance } from "fastify";
import { type AccountDirectory } from "../accounts/account-directory.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { type Role } from "../metadata/tables.ts";
import { checkContainerName } from "../request/names.ts";
import { listRoles, ROLES } from "../roles/role-assignments.ts";
import { type RoleAssignmentKey } from "../roles/role-statements.ts";
import { optionalText, recordOf, requiredText } from "./read-body.ts";

export interface RoleRouteOptions {
  readonly accounts: AccountDirectory;
  readonly metadata: Metadata;
}

/** An assignment as the command line shows it. */
export interface RoleAssignmentDescription {
  readonly principal: string;
  readonly role: Role;
  /** Absent for the whole account. */
  readonly container?: string;
  readonly assignedAt: string;
}

interface AccountParameters {
  readonly Params: { readonly name: string };
}

/** `/management/accounts/:name/roles`: who of the identity provider may do what (rulings, Objects 4). */
export function registerRoleRoutes(scope: FastifyInstance, { accounts, metadata }: RoleRouteOptions): void {
  scope.get<AccountParameters>("/accounts/:name/roles", ({ params }) => {
    const rows = listRoles(metadata, accounts.get(params.name).id);
    const roles = rows.map(({ principal, role, container, assigned_ms }): RoleAssignmentDescription => ({
      principal,
      role,
      ...(container === "" ? {} : { container }),
      assignedAt: new Date(assigned_ms).toISOString(),
    }));
    return { roles };
  });
  scope.post<AccountParameters>("/accounts/:name/roles", async ({ params, body }, reply) => {
    const key = readAssignment(accounts.get(params.name).id, body);
    await metadata.write("addRoleAssignment", key);
    return reply.code(204).send();
  });
  scope.post<AccountParameters>("/accounts/:name/roles/remove", async ({ params, body }, reply) => {
    const key = readAssignment(accounts.get(params.name).id, body);
    await metadata.write("removeRoleAssignment", key);
    return reply.code(204).send();
  });
}

function readAssignment(accountId: number, body: unknown): RoleAssignmentKey {
  const record = recordOf(body);
  const container = optionalText(record, "container") ?? "";
  if (container !== "") {
    checkContainerName(container);
  }
  const asked = requiredText(record, "role").toLowerCase();
  const role = ROLES.find((known) => known.toLowerCase() === asked);
  if (role === undefined) {
    throw new StorageError("InvalidInput", { detail: `a role is one of ${ROLES.join(", ")}` });
  }
  return { account_id: accountId, principal: requiredText(record, "principal"), container, role };
}
