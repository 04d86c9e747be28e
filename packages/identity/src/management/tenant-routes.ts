import { type FastifyInstance } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { JsonInput } from "./json-input.ts";
import { tenantJson } from "./management-json.ts";
import { listingOf, listPage } from "./query/listing.ts";
import { withoutUndefined } from "./read-application.ts";
import { tenantOf } from "./tenant-of.ts";

/** Tenants as a whole are the installation's; an administrator of one sees that one. */
const config = { access: "installation" } as const;

/** `/tenants`, ours, and `/organization`, the Graph's view of the one tenant a request is about. */
export function registerTenantRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/tenants", { config }, async (request) =>
    listPage(request, services, listingOf(await services.tenants.list(), tenantJson)),
  );
  app.get<{ Params: { tenant: string } }>("/tenants/:tenant", { config }, async (request) => {
    return tenantJson(await getTenant(services, request.params.tenant));
  });
  app.patch<{ Params: { tenant: string } }>("/tenants/:tenant", { config }, async (request, reply) => {
    const tenant = await getTenant(services, request.params.tenant);
    const input = new JsonInput(request.body);
    const change = withoutUndefined({
      displayName: input.findName("displayName"),
      toleratesLineBreaksInX5c: input.findFlag("toleratesLineBreaksInX5c"),
      requiresSecondFactor: input.findFlag("requiresSecondFactor"),
    });
    await services.tenants.update(tenant, change);
    return reply.status(204).send();
  });
  app.post("/tenants", { config }, async (request, reply) => {
    const input = new JsonInput(request.body);
    const domain = input.getText("domain");
    const tenant = await services.tenants.create({ domain, displayName: input.findText("displayName") ?? domain });
    return reply.status(201).send(tenantJson(tenant));
  });
  // Tools ask here for the domain that new users are to have.
  app.get("/domains", async (request) => {
    const tenant = await tenantOf(request, services);
    return listPage(
      request,
      services,
      listingOf(tenant.domains, (domain) => domainJson(tenant, domain)),
    );
  });
  app.get("/organization", async (request) =>
    listPage(request, services, listingOf([await tenantOf(request, services)], tenantJson)),
  );
}

async function getTenant(services: IdentityServices, name: string): Promise<Tenant> {
  const tenant = await services.tenants.find(name);
  if (tenant === undefined) {
    throw new ManagementError("Request_ResourceNotFound", `There is no tenant ${name}`);
  }
  return tenant;
}

function domainJson(tenant: Tenant, domain: string): object {
  const isDefault = domain === tenant.defaultDomain;
  return { id: domain, authenticationType: "Managed", isDefault, isInitial: isDefault, isVerified: true };
}
