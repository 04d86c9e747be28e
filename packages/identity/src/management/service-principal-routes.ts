import { type FastifyInstance } from "fastify";
import { type Application } from "../applications/application.ts";
import { directoryServicePrincipalId } from "../applications/directory-resource.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { placeOf } from "./application-routes.ts";
import { type ById, getFound, getServicePrincipal, type ServicePrincipal } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { servicePrincipalJson } from "./management-json.ts";
import { requiredValue } from "./query/evaluate-filter.ts";
import { countOf, entityPage, type Listing, listPage } from "./query/listing.ts";
import { readGuid } from "./read-application.ts";
import { tenantOf } from "./tenant-of.ts";

/**
 * `/servicePrincipals`: applications as they stand in the tenant. One's own have a principal from the start; those of
 * other tenants get one when they are admitted.
 */
export function registerServicePrincipalRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { applications } = services;

  app.get("/servicePrincipals", async (request) =>
    listPage(request, services, principalListing(services, await tenantOf(request, services))),
  );

  app.get("/servicePrincipals/$count", async (request, reply) => {
    const count = await countOf(request, principalListing(services, await tenantOf(request, services)));
    return reply.type("text/plain").send(String(count));
  });

  app.post("/servicePrincipals", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const appId = readGuid(new JsonInput(request.body).getText("appId"));
    const application = getFound(await applications.findByAppId(appId), `There is no application ${appId}`);
    if (application.servicePrincipals.has(tenant.id)) {
      throw new ManagementError("Request_Conflict", `The application ${appId} has a service principal already`);
    }
    if (!application.document.isMultiTenant) {
      throw new ManagementError("Request_BadRequest", `The application ${appId} is for its own tenant only`);
    }
    const admitted = await applications.admit(application, tenant.id);
    return reply.status(201).send(servicePrincipalJson(principalOf(admitted, tenant)));
  });

  app.get("/servicePrincipals/:id", async (request: ById) =>
    entityPage(request, services, servicePrincipalJson((await getServicePrincipal(request, services)).principal)),
  );

  app.patch("/servicePrincipals/:id", async (request: ById, reply) => {
    const { application } = await getOwn(request, services);
    const input = new JsonInput(request.body);
    const isEnabled = input.findFlag("accountEnabled");
    const requiresAssignment = input.findFlag("appRoleAssignmentRequired");
    await applications.update(application, {
      document: {
        ...(isEnabled === undefined ? {} : { isEnabled }),
        ...(requiresAssignment === undefined ? {} : { requiresAssignment }),
      },
    });
    return reply.status(204).send();
  });

  app.delete("/servicePrincipals/:id", async (request: ById, reply) => {
    const { principal, tenant } = await getServicePrincipal(request, services);
    if (principal.kind === "directory" || principal.application.tenantId === tenant.id) {
      throw new ManagementError("Request_BadRequest", "It goes with its application: delete that instead");
    }
    await applications.dismiss(principal.application, tenant.id);
    return reply.status(204).send();
  });
}

/** Settings of a principal are those of the registration, so only its owner changes them. */
async function getOwn(
  request: ById,
  services: IdentityServices,
): Promise<ServicePrincipal & { readonly kind: "application" }> {
  const { principal, tenant } = await getServicePrincipal(request, services);
  if (principal.kind === "directory" || principal.application.tenantId !== tenant.id) {
    throw new ManagementError("Authorization_RequestDenied", "The application belongs to somebody else");
  }
  return principal;
}

/** The built-in directory first, then applications by name. */
function principalListing(services: IdentityServices, tenant: Tenant): Listing<ServicePrincipal> {
  const { applications } = services;
  const directory: ServicePrincipal = { kind: "directory", id: directoryServicePrincipalId(tenant.id) };
  return {
    read: async (limit, after) => {
      const isStart = after === undefined || after[0] === DIRECTORY_PLACE;
      const place = isStart ? undefined : placeOf(after);
      const page = await applications.pageWithPrincipal(tenant.id, limit, place);
      const principals = page.map((application) => principalOf(application, tenant));
      return after === undefined ? [directory, ...principals] : principals;
    },
    keyOf: (principal) =>
      principal.kind === "directory"
        ? [DIRECTORY_PLACE]
        : [principal.application.displayName, principal.application.id],
    json: servicePrincipalJson,
    lookUp: async (filter) => {
      const appId = requiredValue(filter, "appId");
      const application = appId === undefined ? undefined : await applications.findByAppId(appId);
      const found = application?.servicePrincipals.has(tenant.id) === true ? [principalOf(application, tenant)] : [];
      return appId === undefined ? undefined : [directory, ...found];
    },
  };
}

/** Sorts before every name: none is empty. */
const DIRECTORY_PLACE = "";

function principalOf(application: Application, tenant: Tenant): ServicePrincipal {
  const id = getFound(application.servicePrincipals.get(tenant.id), "The service principal was deleted meanwhile");
  return { kind: "application", id, application };
}
