import { isDeepStrictEqual } from "node:util";
import type { CommandContext } from "../../command-context.ts";
import { type Directory, quoted, segment } from "../directory.ts";
import { assignRole, findGrantedScopes, givePermissions } from "../permission-commands.ts";
import { findPrincipal, findServicePrincipal, type Principal } from "../principal.ts";
import type {
  Desired,
  DesiredApplication,
  DesiredFederatedCredential,
  DesiredGroup,
  DesiredPermission,
  DesiredRole,
  DesiredUser,
} from "./read-desired.ts";

/** What became of one entry. */
export interface Applied {
  readonly kind: "application" | "user" | "group" | "permission" | "role";
  readonly name: string;
  readonly result: "created" | "changed" | "unchanged";
}

interface Target {
  readonly directory: Directory;
  readonly context: CommandContext;
}

/**
 * Makes the directory what the files say, in the order in which entries rest on each other. What no file names is left
 * alone; applied again, nothing changes.
 */
export async function* applyDesired(target: Target, desired: Desired): AsyncGenerator<Applied> {
  for (const application of desired.applications) {
    yield await applyApplication(target, application);
  }
  for (const user of desired.users) {
    yield await applyUser(target, user);
  }
  // Groups may contain each other: all of them are there before the first gets its members.
  const groups: { readonly group: DesiredGroup; readonly applied: Applied }[] = [];
  for (const group of desired.groups) {
    groups.push({ group, applied: await applyGroup(target, group) });
  }
  for (const { group, applied } of groups) {
    const isChanged = await applyMembers(target, group);
    yield applied.result === "unchanged" && isChanged ? { ...applied, result: "changed" } : applied;
  }
  for (const permission of desired.permissions) {
    yield await applyPermission(target, permission);
  }
  for (const role of desired.roles) {
    yield await applyRole(target, role);
  }
}

async function applyApplication({ directory, context }: Target, manifest: DesiredApplication): Promise<Applied> {
  const name = manifest.name ?? manifest.displayName ?? manifest.appId ?? "";
  const filter = manifest.appId === undefined ? `displayName eq ${quoted(name)}` : `appId eq ${quoted(manifest.appId)}`;
  const found = await directory.list<{ readonly id: string }>(`/applications?$filter=${segment(filter)}`);
  if (found.length > 1) {
    return context.fail(`${found.length} applications are called '${name}': give the manifest an 'appId'`);
  }
  const body = { displayName: name, appId: manifest.appId };
  const { id } = found[0] ?? (await directory.ask<{ readonly id: string }>("POST", "/applications", body));
  const before = await directory.ask<object>("GET", `/applications/${id}/manifest`);
  // The object's own id is made by the directory: one from elsewhere says nothing here.
  const { id: _id, objectId: _objectId, federatedIdentityCredentials = [], ...rest } = manifest;
  const after = await directory.ask<object>("PUT", `/applications/${id}/manifest`, rest);
  let isSame = isDeepStrictEqual(before, after);
  for (const credential of federatedIdentityCredentials) {
    isSame = !(await applyFederatedCredential(directory, id, credential)) && isSame;
  }
  return {
    kind: "application",
    name,
    result: found.length === 0 ? "created" : isSame ? "unchanged" : "changed",
  };
}

/** @returns whether it came or changed; the name is what stays */
async function applyFederatedCredential(
  directory: Directory,
  applicationId: string,
  credential: DesiredFederatedCredential,
): Promise<boolean> {
  const path = `/applications/${applicationId}/federatedIdentityCredentials`;
  const all = await directory.list<Readonly<Record<string, unknown>>>(path);
  const before = all.find((each) => each["name"] === credential.name);
  if (before === undefined) {
    await directory.ask("POST", path, credential);
    return true;
  }
  const changes = Object.entries(credential).filter(([name, value]) => !isDeepStrictEqual(before[name], value));
  if (changes.length > 0) {
    await directory.ask("PATCH", `${path}/${segment(credential.name)}`, Object.fromEntries(changes));
  }
  return changes.length > 0;
}

async function applyUser({ directory, context }: Target, user: DesiredUser): Promise<Applied> {
  const { userPrincipalName, password, passwordFile, ...members } = user;
  const filter = `userPrincipalName eq ${quoted(userPrincipalName)}`;
  const [before] = await directory.list<Readonly<Record<string, unknown>>>(`/users?$filter=${segment(filter)}`);
  if (before === undefined) {
    const secret =
      password ??
      (passwordFile === undefined
        ? undefined
        : await context.readSecret({ file: passwordFile, what: `password of ${userPrincipalName}` }));
    const passwordProfile = secret === undefined ? undefined : { password: secret };
    await directory.ask("POST", "/users", { passwordProfile, ...members, userPrincipalName });
    return { kind: "user", name: userPrincipalName, result: "created" };
  }
  const changes = Object.entries(members).filter(
    ([name, value]) => name !== "passwordProfile" && !isDeepStrictEqual(before[name], value),
  );
  if (changes.length > 0) {
    await directory.ask("PATCH", `/users/${segment(userPrincipalName)}`, Object.fromEntries(changes));
  }
  return { kind: "user", name: userPrincipalName, result: changes.length === 0 ? "unchanged" : "changed" };
}

interface Group {
  readonly id: string;
  readonly description: string | null;
}

async function applyGroup({ directory }: Target, group: DesiredGroup): Promise<Applied> {
  const { displayName, description } = group;
  const filter = `displayName eq ${quoted(displayName)}`;
  const [before] = await directory.list<Group>(`/groups?$filter=${segment(filter)}`);
  if (before === undefined) {
    await directory.ask("POST", "/groups", { displayName, description });
    return { kind: "group", name: displayName, result: "created" };
  }
  const isSame = description === undefined || before.description === description;
  if (!isSame) {
    await directory.ask("PATCH", `/groups/${before.id}`, { description });
  }
  return { kind: "group", name: displayName, result: isSame ? "unchanged" : "changed" };
}

/** @returns whether somebody came or went */
async function applyMembers({ directory, context }: Target, group: DesiredGroup): Promise<boolean> {
  if (group.members === undefined) {
    return false;
  }
  const path = `/groups/${segment(group.displayName)}/members`;
  const before = new Set((await directory.list<Principal>(path)).map((member) => member.id));
  const after = new Set<string>();
  for (const name of group.members) {
    after.add((await findPrincipal(directory, context, name)).id);
  }
  const added = [...after].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !after.has(id));
  for (const id of added) {
    await directory.ask("POST", `${path}/$ref`, { "@odata.id": id });
  }
  for (const id of removed) {
    await directory.ask("DELETE", `${path}/${id}/$ref`);
  }
  return added.length + removed.length > 0;
}

async function applyPermission({ directory, context }: Target, permission: DesiredPermission): Promise<Applied> {
  const { client, resource, scopes = [], appRoles = [] } = permission;
  const clientPrincipal = await findServicePrincipal(directory, context, client);
  const resourcePrincipal = await findServicePrincipal(directory, context, resource);
  const granted = await findGrantedScopes(directory, clientPrincipal.id, resourcePrincipal.id);
  const missing = scopes.filter((name) => !granted.includes(name.toLowerCase()));
  const isChanged = await givePermissions(directory, context, {
    client: clientPrincipal,
    resource: resourcePrincipal,
    scopes: missing,
    appRoles,
  });
  return {
    kind: "permission",
    name: `${client} → ${resource}`,
    result: isChanged ? "changed" : "unchanged",
  };
}

async function applyRole({ directory, context }: Target, desired: DesiredRole): Promise<Applied> {
  const resource = await findServicePrincipal(directory, context, desired.application);
  const role = resource.appRoles.find((each) => each.value.toLowerCase() === desired.role.toLowerCase());
  const roleId = role?.id ?? context.fail(`${desired.application} has no role '${desired.role}'`);
  let isChanged = false;
  for (const name of desired.principals) {
    const { id } = await findPrincipal(directory, context, name);
    isChanged = (await assignRole(directory, id, resource.id, roleId)) || isChanged;
  }
  return {
    kind: "role",
    name: `${desired.application} ${desired.role}`,
    result: isChanged ? "changed" : "unchanged",
  };
}
