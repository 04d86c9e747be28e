import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type AssignedResource, findAssignedResource } from "../assignments/assigned-resource.ts";
import { type PermissionGrant } from "../assignments/permission-grant-store.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { OPENID_SCOPES } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ById, getFound, getResourceByPrincipal, getServicePrincipal, getUser } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { permissionGrantJson } from "./management-json.ts";
import { listingOf, listPage } from "./query/listing.ts";
import { tenantOf } from "./tenant-of.ts";

/** `/oauth2PermissionGrants`: consents, of one user or of an administrator for everybody. */
export function registerConsentRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { permissionGrants } = services;

  app.get("/oauth2PermissionGrants", async (request) => {
    const tenant = await tenantOf(request, services);
    return listGrants(request, services, tenant, await permissionGrants.list(tenant.id));
  });

  app.get("/users/:id/oauth2PermissionGrants", async (request: ById) => {
    const { user, tenant } = await getUser(request, services);
    return listGrants(request, services, tenant, await permissionGrants.list(tenant.id, { userId: user.id }));
  });

  app.get("/servicePrincipals/:id/oauth2PermissionGrants", async (request: ById) => {
    const { principal, tenant } = await getServicePrincipal(request, services);
    const clientApplicationId = principal.kind === "application" ? principal.application.id : "";
    return listGrants(request, services, tenant, await permissionGrants.list(tenant.id, { clientApplicationId }));
  });

  app.post("/oauth2PermissionGrants", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = new JsonInput(request.body);
    const client = getFound(
      await services.applications.findByPrincipal(tenant.id, input.getText("clientId")),
      `There is no service principal ${input.getText("clientId")}`,
    );
    const resource = await getResourceByPrincipal(services, tenant, input.getText("resourceId"));
    const grant = await permissionGrants.grant({
      tenantId: tenant.id,
      clientApplicationId: client.id,
      resource,
      consentedBy: await readConsentedBy(services, tenant, input),
      scopes: readScopes(resource, input.findText("scope") ?? ""),
    });
    return reply.status(201).send((await grantsJson(services, tenant, [grant]))[0]);
  });

  app.get("/oauth2PermissionGrants/:id", async (request: ById) => {
    const { grant, tenant } = await getGrant(request, services);
    return (await grantsJson(services, tenant, [grant]))[0];
  });

  app.patch("/oauth2PermissionGrants/:id", async (request: ById, reply) => {
    const { grant, tenant } = await getGrant(request, services);
    const resource = await findAssignedResource(services.applications, tenant.id, grant.resourceAppId);
    const scope = new JsonInput(request.body).findText("scope") ?? "";
    const scopes = readScopes(getFound(resource, "The resource was deleted meanwhile"), scope);
    await permissionGrants.update(tenant.id, grant.id, scopes);
    return reply.status(204).send();
  });

  app.delete("/oauth2PermissionGrants/:id", async (request: ById, reply) => {
    const { grant, tenant } = await getGrant(request, services);
    await permissionGrants.remove(tenant.id, grant.id);
    return reply.status(204).send();
  });
}

async function getGrant(
  request: ById,
  services: IdentityServices,
): Promise<{ readonly grant: PermissionGrant; readonly tenant: Tenant }> {
  const tenant = await tenantOf(request, services);
  const grant = await services.permissionGrants.find(tenant.id, request.params.id);
  return { grant: getFound(grant, `There is no consent ${request.params.id}`), tenant };
}

async function readConsentedBy(
  services: IdentityServices,
  tenant: Tenant,
  input: JsonInput,
): Promise<"everybody" | { readonly userId: string }> {
  if (input.findOneOf("consentType", ["AllPrincipals", "Principal"] as const) !== "Principal") {
    return "everybody";
  }
  const principalId = input.getText("principalId");
  const user = await services.users.findById(tenant.id, principalId);
  return { userId: getFound(user, `There is no user ${principalId}`).id };
}

/** Names of scopes as the resource spells them. @throws ManagementError for one that it doesn't have */
function readScopes(resource: AssignedResource, text: string): readonly string[] {
  return text
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => {
      const scope = resource.scopes.find((each) => each.value.toLowerCase() === name.toLowerCase());
      if (scope === undefined && !OPENID_SCOPES.has(name)) {
        throw new ManagementError("Request_BadRequest", `'${resource.displayName}' has no scope '${name}'`);
      }
      return scope?.value ?? name;
    });
}

async function listGrants(
  request: FastifyRequest,
  services: IdentityServices,
  tenant: Tenant,
  grants: readonly PermissionGrant[],
): Promise<object> {
  const all = await grantsJson(services, tenant, grants);
  return listPage(
    request,
    services,
    listingOf(all, (each) => each),
  );
}

async function grantsJson(
  services: IdentityServices,
  tenant: Tenant,
  grants: readonly PermissionGrant[],
): Promise<readonly object[]> {
  return Promise.all(
    grants.map(async (grant) => {
      const client = await services.applications.findById(grant.clientApplicationId);
      const resource = await findAssignedResource(services.applications, tenant.id, grant.resourceAppId);
      return permissionGrantJson(grant, client?.servicePrincipals.get(tenant.id), resource?.servicePrincipalId);
    }),
  );
}
