import type { CommandContext } from "../command-context.ts";
import { type Directory, quoted, segment } from "./directory.ts";

/** A user, group or service principal, as lists of members show it. */
export interface Principal {
  readonly "@odata.type"?: string;
  readonly id: string;
  readonly displayName: string;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By object id, sign-in name of a user, name of a group, or name or client id of an application, in this order. */
export async function findPrincipal(directory: Directory, context: CommandContext, name: string): Promise<Principal> {
  if (name.includes("@")) {
    return directory.ask<Principal>("GET", `/users/${segment(name)}`);
  }
  if (GUID.test(name)) {
    const { value } = await directory.ask<{ value: readonly Principal[] }>("POST", "/directoryObjects/getByIds", {
      ids: [name],
    });
    return value[0] ?? (await findServicePrincipal(directory, context, name));
  }
  const groups = await directory.list<Principal>(`/groups?$filter=${segment(`displayName eq ${quoted(name)}`)}`);
  if (groups.length > 1) {
    return context.fail(`${groups.length} groups are called '${name}': use the id`);
  }
  return groups[0] ?? (await findServicePrincipal(directory, context, name));
}

/** An application as it stands in the tenant, with what it offers. */
export interface ServicePrincipal extends Principal {
  readonly appId: string;
  readonly servicePrincipalNames: readonly string[];
  readonly appRoles: readonly { readonly id: string; readonly value: string }[];
  readonly oauth2PermissionScopes: readonly { readonly id: string; readonly value: string }[];
}

/** By object id, client id, App ID URI or name. */
export async function findServicePrincipal(
  directory: Directory,
  context: CommandContext,
  name: string,
): Promise<ServicePrincipal> {
  const plain = quoted(name.replace(/\/$/, ""));
  const other = quoted(`${name.replace(/\/$/, "")}/`);
  const filter = `servicePrincipalNames/any(n:n eq ${plain} or n eq ${other}) or displayName eq ${plain} or id eq ${plain}`;
  const found = await directory.list<ServicePrincipal>(`/servicePrincipals?$filter=${segment(filter)}`);
  const [principal, ...more] = found;
  if (principal === undefined) {
    return context.fail(`there is no user, group or application '${name}'`);
  }
  return more.length === 0 ? principal : context.fail(`'${name}' names ${found.length} applications: use the id`);
}

export function principalRow(principal: Principal): object {
  return {
    id: principal.id,
    name: principal.displayName,
    kind: (principal["@odata.type"] ?? "").replace("#microsoft.graph.", ""),
  };
}
