import { type Application, type Resource } from "../applications/application.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";

/** @throws IdentityError 50105 when the application admits assigned users only and this one isn't */
export async function checkUserAdmission(
  services: IdentityServices,
  tenant: Tenant,
  client: Application,
  user: User,
): Promise<void> {
  const isAdmitted =
    !client.document.requiresAssignment ||
    (await services.appRoleAssignments.isAssigned(tenant.id, user.id, client.appId));
  if (!isAdmitted) {
    throw new IdentityError(50105, { client: client.appId });
  }
}

/** @throws IdentityError 501051 when the resource admits assigned applications only and this one isn't */
export async function checkApplicationAdmission(
  services: IdentityServices,
  tenant: Tenant,
  servicePrincipalId: string,
  resource: Resource,
): Promise<void> {
  const isAdmitted =
    resource.registration?.document.requiresAssignment !== true ||
    (await services.appRoleAssignments.isAssigned(tenant.id, servicePrincipalId, resource.appId));
  if (!isAdmitted) {
    throw new IdentityError(501051, { resource: resource.requestedAs });
  }
}
