import { type FastifyRequest } from "fastify";
import { type Application } from "../applications/application.ts";
import { DIRECTORY_APP_ID, directoryServicePrincipalId } from "../applications/directory-resource.ts";
import { type AssignedResource, findAssignedResource } from "../assignments/assigned-resource.ts";
import { type Group } from "../groups/group.ts";
import { type NamedPrincipal } from "../groups/principal.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { tenantOf } from "./tenant-of.ts";

/** A request whose address ends in, or goes through, one entity. */
export type ById = FastifyRequest<{ Params: { id: string } }>;

/** @throws ManagementError when there is nothing */
export function getFound<Entity>(entity: Entity | undefined | false, message: string): Entity {
  if (entity === undefined || entity === false) {
    throw new ManagementError("Request_ResourceNotFound", message);
  }
  return entity;
}

/** By object id, client id, or name when only one application has it. Managed identities are not among them. */
export async function getApplication(request: ById, services: IdentityServices): Promise<Application> {
  const tenant = await tenantOf(request, services);
  const { id } = request.params;
  const byId = (await services.applications.findById(id)) ?? (await services.applications.findByAppId(id));
  if (byId !== undefined && byId.tenantId === tenant.id && !byId.document.isManagedIdentity) {
    return byId;
  }
  const named = await services.applications.findByName(tenant.id, id);
  return onlyOne(
    named.filter((each) => !each.document.isManagedIdentity),
    "application",
    id,
    tenant,
  );
}

/** By object id or sign-in name. */
export async function getUser(request: ById, services: IdentityServices): Promise<{ user: User; tenant: Tenant }> {
  const tenant = await tenantOf(request, services);
  const { id } = request.params;
  const user = (await services.users.findById(tenant.id, id)) ?? (await services.users.findByName(tenant.id, id));
  return { user: getFound(user, `There is no user '${id}' in the tenant ${tenant.displayName}`), tenant };
}

/** By object id, or name when only one group has it. */
export async function getGroup(request: ById, services: IdentityServices): Promise<{ group: Group; tenant: Tenant }> {
  const tenant = await tenantOf(request, services);
  const { id } = request.params;
  const group = await services.groups.find(tenant.id, id);
  return {
    group: group ?? onlyOne(await services.groups.findByName(tenant.id, id), "group", id, tenant),
    tenant,
  };
}

/** An application as it stands in the tenant; the built-in directory has no registration behind it. */
export type ServicePrincipal =
  | { readonly kind: "application"; readonly id: string; readonly application: Application }
  | { readonly kind: "directory"; readonly id: string };

/** By object id, client id, or name when only one has it. */
export async function getServicePrincipal(
  request: ById,
  services: IdentityServices,
): Promise<{ principal: ServicePrincipal; tenant: Tenant }> {
  const tenant = await tenantOf(request, services);
  const { id } = request.params;
  return { principal: await findServicePrincipal(services, tenant, id), tenant };
}

async function findServicePrincipal(services: IdentityServices, tenant: Tenant, id: string): Promise<ServicePrincipal> {
  const directoryId = directoryServicePrincipalId(tenant.id);
  if (id.toLowerCase() === directoryId || id.toLowerCase() === DIRECTORY_APP_ID) {
    return { kind: "directory", id: directoryId };
  }
  const { applications } = services;
  const application = (await applications.findByPrincipal(tenant.id, id)) ?? (await applications.findByAppId(id));
  const principalId = application?.servicePrincipals.get(tenant.id);
  if (application !== undefined && principalId !== undefined) {
    return { kind: "application", id: principalId, application };
  }
  const found = onlyOne(await applications.findByName(tenant.id, id), "service principal", id, tenant);
  return { kind: "application", id: getFound(found.servicePrincipals.get(tenant.id), ""), application: found };
}

/** The resource behind a service principal's id. @throws ManagementError when there is none */
export async function getResourceByPrincipal(
  services: IdentityServices,
  tenant: Tenant,
  servicePrincipalId: string,
): Promise<AssignedResource> {
  const id = servicePrincipalId.toLowerCase();
  const appId =
    id === directoryServicePrincipalId(tenant.id)
      ? DIRECTORY_APP_ID
      : (await services.applications.findByPrincipal(tenant.id, id))?.appId;
  const resource =
    appId === undefined ? undefined : await findAssignedResource(services.applications, tenant.id, appId);
  return getFound(resource, `There is no service principal ${servicePrincipalId}`);
}

/** A user, group or service principal by object id. @throws ManagementError when there is none */
export async function getPrincipal(services: IdentityServices, tenant: Tenant, id: string): Promise<NamedPrincipal> {
  return getFound(
    await services.principals.find(tenant.id, id),
    `There is no user, group or service principal '${id}' in the tenant ${tenant.displayName}`,
  );
}

function onlyOne<Entity>(entities: readonly Entity[], what: string, name: string, tenant: Tenant): Entity {
  if (entities.length > 1) {
    throw new ManagementError("Request_BadRequest", `${entities.length} ${what}s are called '${name}': use the id`);
  }
  return getFound(entities[0], `There is no ${what} '${name}' in the tenant ${tenant.displayName}`);
}
