import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type AppRoleAssignment, NO_ROLE } from "../assignments/app-role-assignment-store.ts";
import { type AssignedResource, findAssignedResource } from "../assignments/assigned-resource.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ById, getFound, getPrincipal, getResourceByPrincipal, getServicePrincipal } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { appRoleAssignmentJson } from "./management-json.ts";
import { type Holder, holders } from "./membership-routes.ts";
import { listingOf, listPage } from "./query/listing.ts";
import { readGuid } from "./read-application.ts";
import { tenantOf } from "./tenant-of.ts";

type ByTwoIds = FastifyRequest<{ Params: { id: string; assignmentId: string } }>;

/**
 * Roles of applications in the hands of users, groups and other applications: `appRoleAssignments` of whoever has them,
 * `appRoleAssignedTo` of the resource, and all of a tenant at the top.
 */
export function registerAssignmentRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/appRoleAssignments", async (request) =>
    listAssignments(request, services, await tenantOf(request, services), {}),
  );

  for (const [collection, find] of Object.entries(holders)) {
    const path = `/${collection}/:id/appRoleAssignments`;
    app.get(path, async (request: ById) => {
      const { id, tenant } = await find(request, services);
      return listAssignments(request, services, tenant, { principalId: id });
    });
    app.post(path, async (request: ById, reply) => {
      const holder = await find(request, services);
      const input = new JsonInput(request.body);
      const principalId = input.findText("principalId") ?? holder.id;
      if (principalId.toLowerCase() !== holder.id) {
        throw new ManagementError("Request_BadRequest", "'principalId' is not the one of the address");
      }
      const assignment = await assign(services, holder, input.getText("resourceId"), input);
      return reply.status(201).send(assignment);
    });
    app.delete(`${path}/:assignmentId`, async (request: ByTwoIds, reply) => {
      const { id, tenant } = await find(request, services);
      await remove(services, tenant, request.params.assignmentId, (each) => each.principal.id === id);
      return reply.status(204).send();
    });
  }

  const assignedTo = "/servicePrincipals/:id/appRoleAssignedTo";
  app.get(assignedTo, async (request: ById) => {
    const { resource, tenant } = await getResource(request, services);
    return listAssignments(request, services, tenant, { resourceAppId: resource.appId });
  });
  app.post(assignedTo, async (request: ById, reply) => {
    const { resource, tenant } = await getResource(request, services);
    const input = new JsonInput(request.body);
    const holder = { id: input.getText("principalId"), tenant };
    return reply.status(201).send(await assign(services, holder, resource.servicePrincipalId, input));
  });
  app.delete(`${assignedTo}/:assignmentId`, async (request: ByTwoIds, reply) => {
    const { resource, tenant } = await getResource(request, services);
    await remove(services, tenant, request.params.assignmentId, (each) => each.resourceAppId === resource.appId);
    return reply.status(204).send();
  });
}

async function getResource(
  request: ById,
  services: IdentityServices,
): Promise<{ readonly resource: AssignedResource; readonly tenant: Tenant }> {
  const { principal, tenant } = await getServicePrincipal(request, services);
  return { resource: await getResourceByPrincipal(services, tenant, principal.id), tenant };
}

async function assign(
  services: IdentityServices,
  { id, tenant }: Holder,
  resourceId: string,
  input: JsonInput,
): Promise<object> {
  const principal = await getPrincipal(services, tenant, id);
  const resource = await getResourceByPrincipal(services, tenant, resourceId);
  const appRoleId = readGuid(input.findText("appRoleId") ?? NO_ROLE);
  const assignment = await services.appRoleAssignments.assign(tenant.id, principal, resource, appRoleId);
  return appRoleAssignmentJson(assignment, principal, resource);
}

async function remove(
  services: IdentityServices,
  tenant: Tenant,
  assignmentId: string,
  isMeant: (assignment: AppRoleAssignment) => boolean,
): Promise<void> {
  const all = await services.appRoleAssignments.list(tenant.id);
  const found = all.find((each) => each.id === assignmentId.toLowerCase() && isMeant(each));
  await services.appRoleAssignments.remove(tenant.id, getFound(found, `There is no assignment ${assignmentId}`).id);
}

async function listAssignments(
  request: FastifyRequest,
  services: IdentityServices,
  tenant: Tenant,
  filter: { readonly principalId?: string; readonly resourceAppId?: string },
): Promise<object> {
  const assignments = await services.appRoleAssignments.list(tenant.id, filter);
  const ids = assignments.map((each) => each.principal.id);
  const principals = new Map(
    (await services.principals.findAll(tenant.id, ids)).map((principal) => [principal.id, principal]),
  );
  const resources = new Map<string, AssignedResource | undefined>();
  for (const appId of new Set(assignments.map((each) => each.resourceAppId))) {
    resources.set(appId, await findAssignedResource(services.applications, tenant.id, appId));
  }
  return listPage(
    request,
    services,
    listingOf(assignments, (each) =>
      appRoleAssignmentJson(each, principals.get(each.principal.id), resources.get(each.resourceAppId)),
    ),
  );
}
