import { type FastifyInstance } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { JsonInput } from "./json-input.ts";
import { tenantJson } from "./management-json.ts";
import { listingOf, listPage } from "./query/listing.ts";
import { tenantOf } from "./tenant-of.ts";

/** Tenants as a whole are the installation's; an administrator of one sees that one. */
const config = { access: "installation" } as const;

/** `/tenants`, ours, and `/organization`, the Graph's view of the one tenant a request is about. */
export function registerTenantRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/tenants", { config }, async (request) =>
    listPage(request, services, listingOf(await services.tenants.list(), tenantJson)),
  );
  app.get<{ Params: { tenant: string } }>("/tenants/:tenant", { config }, async (request) => {
    const tenant = await services.tenants.find(request.params.tenant);
    if (tenant === undefined) {
      throw new ManagementError("Request_ResourceNotFound", `There is no tenant ${request.params.tenant}`);
    }
    return tenantJson(tenant);
  });
  app.post("/tenants", { config }, async (request, reply) => {
    const input = new JsonInput(request.body);
    const domain = input.getText("domain");
    const tenant = await services.tenants.create({ domain, displayName: input.findText("displayName") ?? domain });
    return reply.status(201).send(tenantJson(tenant));
  });
  app.get("/organization", async (request) =>
    listPage(request, services, listingOf([await tenantOf(request, services)], tenantJson)),
  );
}
