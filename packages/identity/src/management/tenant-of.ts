import { type FastifyRequest } from "fastify";
import { TENANT } from "../protocol/headers.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { callerOf } from "./caller.ts";

/**
 * The tenant that a request is about: the one of the caller's token; for the installation's owner the one named in the
 * header, else the first.
 *
 * @throws ManagementError when there is no such tenant, or the header names another one than the token
 */
export async function tenantOf(request: FastifyRequest, services: IdentityServices): Promise<Tenant> {
  const caller = callerOf(request);
  const header = request.headers[TENANT];
  const name = typeof header === "string" ? header : undefined;
  const named = name === undefined ? undefined : await services.tenants.find(name);
  if (caller.kind === "token") {
    if (name !== undefined && named?.id !== caller.token.tenant.id) {
      throw new ManagementError("Authorization_RequestDenied", "The access token is for another tenant");
    }
    return caller.token.tenant;
  }
  const tenant = name === undefined ? (await services.tenants.list()).at(0) : named;
  if (tenant === undefined) {
    throw new ManagementError("Request_ResourceNotFound", `There is no tenant ${name ?? "yet"}`);
  }
  return tenant;
}
