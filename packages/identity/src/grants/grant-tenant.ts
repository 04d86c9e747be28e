import { IdentityError } from "../protocol/identity-error.ts";
import { CONSUMERS } from "../protocol/parameters.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type GrantRequest } from "./grant.ts";

/** For grants that must be told the tenant. @throws IdentityError 50059 on `common` and the like */
export function getNamedTenant(request: GrantRequest): Tenant {
  if (request.tenantChoice.kind === "any") {
    throw new IdentityError(50059);
  }
  return request.tenantChoice.tenant;
}

/**
 * For grants in which a user name tells the tenant when the address doesn't.
 *
 * @throws IdentityError 9001023 where users of every kind would be meant, 50059 when the name's domain is not ours
 */
export async function getTenantOfUser(request: GrantRequest, userName: string): Promise<Tenant> {
  const choice = request.tenantChoice;
  if (choice.kind === "tenant") {
    return choice.tenant;
  }
  // v1 lets users of any tenant in by `common`; v2 wants at least `organizations`. (reference §4.1)
  const isOpen = choice.segment === "organizations" || (request.profile.version === 1 && choice.segment !== CONSUMERS);
  if (!isOpen) {
    throw new IdentityError(9001023, { tenant: choice.segment });
  }
  const tenant = await request.services.tenants.find(userName.slice(userName.lastIndexOf("@") + 1));
  if (tenant === undefined) {
    throw new IdentityError(50059);
  }
  return tenant;
}
