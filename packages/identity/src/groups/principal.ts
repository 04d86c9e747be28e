import { type PrincipalColumns } from "../store/tables.ts";
import { type User } from "../users/user.ts";
import { type Group } from "./group.ts";

/** Whoever can be a member of a group or hold a role. */
export interface Principal {
  /** Object id: a GUID in lower case. */
  readonly id: string;
  readonly kind: PrincipalKind;
}

export type PrincipalKind = "user" | "group" | "servicePrincipal";

/** A principal with the name that people know it by, and what it is. */
export type NamedPrincipal = { readonly id: string; readonly displayName: string } & (
  | { readonly kind: "user"; readonly user: User }
  | { readonly kind: "group"; readonly group: Group }
  | { readonly kind: "servicePrincipal"; readonly appId: string }
);

/** The columns under which the database keeps a principal and forgets it together with the principal itself. */
export function principalColumns(principal: Principal): PrincipalColumns {
  const { id, kind } = principal;
  return {
    principal_id: id,
    user_id: kind === "user" ? id : null,
    member_group_id: kind === "group" ? id : null,
    service_principal_id: kind === "servicePrincipal" ? id : null,
  };
}

export function principalOf(row: PrincipalColumns): Principal {
  const kind = row.user_id !== null ? "user" : row.member_group_id !== null ? "group" : "servicePrincipal";
  return { id: row.principal_id, kind };
}
