import { type FastifyInstance } from "fastify";
import { getResource } from "../applications/resource.ts";
import { type ManagedIdentity } from "../managed-identity/managed-identity.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { dateTime } from "./date-time.ts";
import { type ById, getFound } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { listingOf, listPage } from "./query/listing.ts";
import { tenantOf } from "./tenant-of.ts";

/** `/managedIdentities`, ours: identities of hosted applications. The secret header is in the answer that makes one. */
export function registerManagedIdentityRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { managedIdentities } = services;

  app.get("/managedIdentities", async (request) => {
    const tenant = await tenantOf(request, services);
    return listPage(request, services, listingOf(await managedIdentities.list(tenant.id), managedIdentityJson));
  });

  app.post("/managedIdentities", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = new JsonInput(request.body);
    const { identity, header } = await managedIdentities.create(tenant.id, {
      name: input.getText("name"),
      resourceAppIds: await readResources(services, tenant, input.findTexts("resources") ?? []),
    });
    return reply.status(201).send({ ...managedIdentityJson(identity), identityHeader: header });
  });

  app.get("/managedIdentities/:id", async (request: ById) =>
    managedIdentityJson(await getManagedIdentity(request, services)),
  );

  app.delete("/managedIdentities/:id", async (request: ById, reply) => {
    await managedIdentities.delete(await getManagedIdentity(request, services));
    return reply.status(204).send();
  });
}

/** By name, client id or object id of its principal. */
async function getManagedIdentity(request: ById, services: IdentityServices): Promise<ManagedIdentity> {
  const tenant = await tenantOf(request, services);
  const { id } = request.params;
  const found = (await services.managedIdentities.list(tenant.id)).find((each) =>
    [each.name, each.application.appId, each.principalId].includes(id),
  );
  return getFound(found, `There is no managed identity '${id}' in the tenant ${tenant.displayName}`);
}

/** Client ids of the resources named. @throws ManagementError for one that isn't registered */
async function readResources(
  services: IdentityServices,
  tenant: Tenant,
  names: readonly string[],
): Promise<readonly string[]> {
  return Promise.all(
    names.map(async (name) => {
      try {
        return (await getResource(services.applications, tenant, name)).appId;
      } catch (error) {
        throw error instanceof IdentityError ? new ManagementError("Request_BadRequest", error.message) : error;
      }
    }),
  );
}

function managedIdentityJson(identity: ManagedIdentity): object {
  return {
    name: identity.name,
    clientId: identity.application.appId,
    principalId: identity.principalId,
    tenantId: identity.tenantId,
    resources: identity.resourceAppIds,
    createdDateTime: dateTime(identity.createdAtMs),
  };
}
