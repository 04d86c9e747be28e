import { type Role } from "../metadata/tables.ts";
import { type Operation } from "../operations/operation.ts";

/** Least first: each may do what those before it may. */
const RANKS: readonly Role[] = ["Reader", "Contributor", "Owner"];

/** Operations that no token opens: they need an account key (storage §5). */
const KEY_ONLY: ReadonlySet<string> = new Set(["container.getAccessPolicy", "container.setAccessPolicy"]);

/** Operations whose role is not the one that their method says. */
const ROLES: Readonly<Record<string, Role>> = {
  "service.setProperties": "Owner",
  "service.getUserDelegationKey": "Reader",
  "blob.query": "Reader",
};

/** The least role that may run an operation; `undefined` when none may. */
export function roleNeededFor({ name, methods }: Pick<Operation, "name" | "methods">): Role | undefined {
  if (KEY_ONLY.has(name)) {
    return undefined;
  }
  const isRead = methods.includes("GET") || methods.includes("HEAD");
  return ROLES[name] ?? (isRead ? "Reader" : "Contributor");
}

/** Whether one of the roles is enough. */
export function isEnough(roles: readonly Role[], needed: Role): boolean {
  return roles.some((role) => RANKS.indexOf(role) >= RANKS.indexOf(needed));
}
