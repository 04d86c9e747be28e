import { type AuditCategory } from "./audit-event.ts";

/** How an administration request is called in the record. */
export interface Activity {
  readonly activity: string;
  readonly category: AuditCategory;
}

const administration = (activity: string): Activity => ({ activity, category: "administration" });
const credential = (activity: string): Activity => ({ activity, category: "credential" });
const consent = (activity: string): Activity => ({ activity, category: "consent" });

/** By method and route; what isn't listed is recorded by method and route themselves. */
const activities: Readonly<Record<string, Activity>> = {
  "POST /tenants": administration("Add tenant"),
  "PATCH /tenants/:tenant": administration("Update tenant"),
  "POST /applications": administration("Add application"),
  "PATCH /applications/:id": administration("Update application"),
  "DELETE /applications/:id": administration("Delete application"),
  "PUT /applications/:id/manifest": administration("Upload manifest"),
  "POST /applications/:id/addPassword": credential("Add secret"),
  "POST /applications/:id/removePassword": credential("Remove secret"),
  "POST /applications/:id/addKey": credential("Add certificate"),
  "POST /applications/:id/removeKey": credential("Remove certificate"),
  "POST /sealingKey/rotate": credential("Rotate sealing key"),
  "POST /applications/:id/keyCredentials": credential("Add certificate"),
  "DELETE /applications/:id/keyCredentials/:keyId": credential("Remove certificate"),
  "POST /applications/:id/federatedIdentityCredentials": credential("Add federated credential"),
  "PATCH /applications/:id/federatedIdentityCredentials/:credentialId": credential("Update federated credential"),
  "DELETE /applications/:id/federatedIdentityCredentials/:credentialId": credential("Remove federated credential"),
  "POST /servicePrincipals": administration("Add service principal"),
  "PATCH /servicePrincipals/:id": administration("Update service principal"),
  "DELETE /servicePrincipals/:id": administration("Delete service principal"),
  "POST /users": administration("Add user"),
  "PATCH /users/:id": administration("Update user"),
  "DELETE /users/:id": administration("Delete user"),
  "POST /users/:id/unlock": administration("Unlock user"),
  "POST /users/:id/revokeSignInSessions": administration("End sessions of user"),
  "POST /users/:id/invalidateAllRefreshTokens": administration("End sessions of user"),
  "POST /me/revokeSignInSessions": administration("End own sessions"),
  "DELETE /users/:id/authentication/softwareOathMethods/:methodId": credential("Remove authenticator application"),
  "POST /groups": administration("Add group"),
  "PATCH /groups/:id": administration("Update group"),
  "DELETE /groups/:id": administration("Delete group"),
  "POST /groups/:id/members/$ref": administration("Add member to group"),
  "DELETE /groups/:id/members/:memberId/$ref": administration("Remove member from group"),
  "POST /users/:id/appRoleAssignments": administration("Assign app role to user"),
  "DELETE /users/:id/appRoleAssignments/:assignmentId": administration("Remove app role from user"),
  "POST /groups/:id/appRoleAssignments": administration("Assign app role to group"),
  "DELETE /groups/:id/appRoleAssignments/:assignmentId": administration("Remove app role from group"),
  "POST /servicePrincipals/:id/appRoleAssignments": administration("Assign app role to application"),
  "DELETE /servicePrincipals/:id/appRoleAssignments/:assignmentId": administration("Remove app role from application"),
  "POST /servicePrincipals/:id/appRoleAssignedTo": administration("Assign app role of application"),
  "DELETE /servicePrincipals/:id/appRoleAssignedTo/:assignmentId": administration("Remove app role of application"),
  "POST /oauth2PermissionGrants": consent("Consent to application"),
  "PATCH /oauth2PermissionGrants/:id": consent("Change consent"),
  "DELETE /oauth2PermissionGrants/:id": consent("Withdraw consent"),
  "POST /directoryRoles/:id/members/$ref": administration("Add member to directory role"),
  "DELETE /directoryRoles/:id/members/:memberId/$ref": administration("Remove member from directory role"),
  "POST /policies/tokenLifetimePolicies": administration("Add token lifetime policy"),
  "PATCH /policies/tokenLifetimePolicies/:id": administration("Update token lifetime policy"),
  "DELETE /policies/tokenLifetimePolicies/:id": administration("Delete token lifetime policy"),
  "POST /applications/:id/tokenLifetimePolicies/$ref": administration("Assign token lifetime policy"),
  "DELETE /applications/:id/tokenLifetimePolicies/:policyId/$ref": administration("Remove token lifetime policy"),
  "POST /servicePrincipals/:id/tokenLifetimePolicies/$ref": administration("Assign token lifetime policy"),
  "DELETE /servicePrincipals/:id/tokenLifetimePolicies/:policyId/$ref": administration("Remove token lifetime policy"),
  "POST /signingKeys/rotate": credential("Rotate signing key"),
  "POST /sealingKey/forgetOld": credential("Forget old sealing keys"),
  "POST /managedIdentities": credential("Add managed identity"),
  "DELETE /managedIdentities/:id": credential("Delete managed identity"),
};

/** Requests that change nothing although they aren't GET. */
const questions: ReadonlySet<string> = new Set([
  "getMemberGroups",
  "getMemberObjects",
  "checkMemberGroups",
  "getByIds",
]);

/**
 * @param route    the route's pattern below `/v1.0`
 * @param changed  names of the body's members: a user's new password makes it a credential's event
 * @returns        undefined when there is nothing to record
 */
export function activityOf(method: string, route: string, changed: readonly string[] = []): Activity | undefined {
  if (method === "GET" || method === "HEAD" || questions.has(route.slice(route.lastIndexOf("/") + 1))) {
    return undefined;
  }
  if (method === "PATCH" && route === "/users/:id" && changed.includes("passwordProfile")) {
    return credential("Set password of user");
  }
  return activities[`${method} ${route}`] ?? administration(`${method} ${route}`);
}
