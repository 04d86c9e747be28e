import { type Application, type Resource } from "../applications/application.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";

/**
 * @throws IdentityError 50105 when the client, or the resource it calls in the user's name, admits assigned users only
 *         and this one isn't
 */
export function checkUserAdmission(
  services: IdentityServices,
  tenant: Tenant,
  { client, resource, user }: { readonly client: Application; readonly resource: Resource; readonly user: User },
): Promise<void> | undefined {
  const isOpen = !client.document.requiresAssignment && resource.registration?.document.requiresAssignment !== true;
  return isOpen ? undefined : checkUserAssignments(services, tenant, user, [client, resource.registration]);
}

async function checkUserAssignments(
  { appRoleAssignments }: IdentityServices,
  tenant: Tenant,
  user: User,
  applications: readonly (Application | undefined)[],
): Promise<void> {
  for (const application of applications) {
    const isAdmitted =
      application?.document.requiresAssignment !== true ||
      (await appRoleAssignments.isAssigned(tenant.id, user.id, application.appId));
    if (!isAdmitted) {
      throw new IdentityError(50105, { client: application.appId });
    }
  }
}

/** @throws IdentityError 501051 when the resource admits assigned applications only and this one isn't */
export function checkApplicationAdmission(
  services: IdentityServices,
  tenant: Tenant,
  servicePrincipalId: string,
  resource: Resource,
): Promise<void> | undefined {
  return resource.registration?.document.requiresAssignment === true
    ? checkAssignment(services, tenant, servicePrincipalId, resource)
    : undefined;
}

async function checkAssignment(
  { appRoleAssignments }: IdentityServices,
  tenant: Tenant,
  servicePrincipalId: string,
  resource: Resource,
): Promise<void> {
  if (!(await appRoleAssignments.isAssigned(tenant.id, servicePrincipalId, resource.appId))) {
    throw new IdentityError(501051, { resource: resource.requestedAs });
  }
}
