import { type FastifyRequest } from "fastify";
import { TENANT } from "../protocol/headers.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";

/**
 * The tenant that a request is about: the one named in the header, else the first.
 *
 * @throws ManagementError when there is no such tenant
 */
export async function tenantOf(request: FastifyRequest, services: IdentityServices): Promise<Tenant> {
  const named = request.headers[TENANT];
  const tenant = typeof named === "string" ? await services.tenants.find(named) : (await services.tenants.list()).at(0);
  if (tenant === undefined) {
    throw new ManagementError("Request_ResourceNotFound", `There is no tenant ${String(named ?? "yet")}`);
  }
  return tenant;
}
