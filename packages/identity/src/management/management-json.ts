import { directoryResource, directoryResourceNames, DIRECTORY_APP_ID } from "../applications/directory-resource.ts";
import { type AppRoleAssignment } from "../assignments/app-role-assignment-store.ts";
import { type AssignedResource } from "../assignments/assigned-resource.ts";
import { type PermissionGrant } from "../assignments/permission-grant-store.ts";
import { type Group } from "../groups/group.ts";
import { type NamedPrincipal, type PrincipalKind } from "../groups/principal.ts";
import { type SigningKey } from "../signing-keys/signing-key.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { appRoleJson, certificateJson, redirectUris, scopeJson, secretJson } from "./application-json.ts";
import { dateTime } from "./date-time.ts";
import { type ServicePrincipal } from "./find-entities.ts";

/** Entities as the management interface shows them: the names of the Graph's resources. */

export function tenantJson(tenant: Tenant): object {
  return {
    id: tenant.id,
    displayName: tenant.displayName,
    createdDateTime: dateTime(tenant.createdAtMs),
    toleratesLineBreaksInX5c: tenant.toleratesLineBreaksInX5c,
    requiresSecondFactor: tenant.requiresSecondFactor,
    verifiedDomains: tenant.domains.map((name) => ({ name, isDefault: name === tenant.defaultDomain })),
  };
}

export function userJson(user: User): object {
  return {
    id: user.id,
    userPrincipalName: user.userPrincipalName,
    displayName: user.displayName,
    givenName: user.givenName ?? null,
    surname: user.surname ?? null,
    mail: user.mail ?? null,
    accountEnabled: user.isEnabled,
    createdDateTime: dateTime(user.createdAtMs),
    signInSessionsValidFromDateTime: dateTime(Math.max(user.sessionsValidFromMs, user.createdAtMs)),
  };
}

/** Every group carries rights and none has a mailbox. */
export function groupJson(group: Group): object {
  return {
    id: group.id,
    displayName: group.displayName,
    description: group.description ?? null,
    mailNickname: group.mailNickname,
    mailEnabled: false,
    securityEnabled: true,
    groupTypes: [],
    createdDateTime: dateTime(group.createdAtMs),
  };
}

export function servicePrincipalJson(principal: ServicePrincipal): object {
  if (principal.kind === "directory") {
    return {
      ...noServicePrincipal,
      id: principal.id,
      appId: DIRECTORY_APP_ID,
      displayName: "Directory",
      appDisplayName: "Directory",
      servicePrincipalNames: [...directoryResourceNames],
      appRoles: directoryResource.appRoles.map(appRoleJson),
      oauth2PermissionScopes: directoryResource.scopes.map(scopeJson),
    };
  }
  const { application, id } = principal;
  const { document } = application;
  return {
    ...noServicePrincipal,
    id,
    appId: application.appId,
    displayName: application.displayName,
    appDisplayName: application.displayName,
    appOwnerOrganizationId: application.tenantId,
    accountEnabled: document.isEnabled,
    appRoleAssignmentRequired: document.requiresAssignment,
    servicePrincipalType: document.isManagedIdentity ? "ManagedIdentity" : "Application",
    servicePrincipalNames: [application.appId, ...application.identifierUris],
    homepage: document.homePageUrl ?? null,
    logoutUrl: document.logoutUrl ?? null,
    replyUrls: (["web", "spa", "public"] as const).flatMap((type) => redirectUris(document, type)),
    appRoles: document.appRoles.map(appRoleJson),
    oauth2PermissionScopes: document.scopes.map(scopeJson),
    passwordCredentials: application.secrets.map((secret) => secretJson(secret)),
    keyCredentials: application.certificates.map(certificateJson),
    createdDateTime: dateTime(application.createdAtMs),
  };
}

const noServicePrincipal = {
  appOwnerOrganizationId: null,
  accountEnabled: true,
  appRoleAssignmentRequired: false,
  servicePrincipalType: "Application",
  homepage: null,
  logoutUrl: null,
  replyUrls: [],
  tags: [],
  passwordCredentials: [],
  keyCredentials: [],
  createdDateTime: null,
};

export const principalTypes: Readonly<Record<PrincipalKind, string>> = {
  user: "#microsoft.graph.user",
  group: "#microsoft.graph.group",
  servicePrincipal: "#microsoft.graph.servicePrincipal",
};

/** A member of something, with all that its kind has; of applications what names them. */
export function principalJson(principal: NamedPrincipal): object {
  const type = { "@odata.type": principalTypes[principal.kind] };
  switch (principal.kind) {
    case "user":
      return { ...type, ...userJson(principal.user) };
    case "group":
      return { ...type, ...groupJson(principal.group) };
    case "servicePrincipal": {
      const { id, displayName, appId } = principal;
      return { ...type, id, displayName, appDisplayName: displayName, appId };
    }
  }
}

/** Whatever {@link principalJson} shows of any kind, as null. */
export const principalBlank: object = {
  userPrincipalName: null,
  givenName: null,
  surname: null,
  mail: null,
  accountEnabled: null,
  createdDateTime: null,
  signInSessionsValidFromDateTime: null,
  description: null,
  mailNickname: null,
  mailEnabled: null,
  securityEnabled: null,
  groupTypes: null,
  appDisplayName: null,
  appId: null,
};

export function appRoleAssignmentJson(
  assignment: AppRoleAssignment,
  principal: NamedPrincipal | undefined,
  resource: AssignedResource | undefined,
): object {
  const { kind } = assignment.principal;
  return {
    id: assignment.id,
    appRoleId: assignment.appRoleId,
    createdDateTime: dateTime(assignment.createdAtMs),
    principalId: assignment.principal.id,
    principalType: kind === "user" ? "User" : kind === "group" ? "Group" : "ServicePrincipal",
    principalDisplayName: principal?.displayName ?? null,
    resourceId: resource?.servicePrincipalId ?? null,
    resourceDisplayName: resource?.displayName ?? null,
  };
}

/** @param clientId  the object id of the client's service principal, `resourceId` likewise */
export function permissionGrantJson(
  grant: PermissionGrant,
  clientId: string | undefined,
  resourceId: string | undefined,
): object {
  return {
    id: grant.id,
    clientId: clientId ?? null,
    consentType: grant.userId === undefined ? "AllPrincipals" : "Principal",
    principalId: grant.userId ?? null,
    resourceId: resourceId ?? null,
    scope: grant.scopes.join(" "),
  };
}

export function signingKeyJson(key: SigningKey, isCurrent: boolean, isPublished: boolean): object {
  return {
    keyId: key.kid,
    isCurrent,
    isPublished,
    startDateTime: dateTime(key.activeFromMs),
    endDateTime: key.retiredAtMs === undefined ? null : dateTime(key.retiredAtMs),
  };
}
