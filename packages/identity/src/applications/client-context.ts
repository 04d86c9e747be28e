import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ClientContext } from "./authenticate-client.ts";
import { audienceJudge } from "./token-endpoint-audience.ts";

/** What clients of a tenant are authenticated with, now. @param isFromPage  whether a page asks for something it can get */
export function clientContext(services: IdentityServices, tenant: Tenant, isFromPage = false): ClientContext {
  return {
    applications: services.applications,
    tenant,
    isOurAudience: audienceJudge(services.settings.origins, tenant),
    federation: services.federation,
    usedAssertions: services.usedAssertions,
    nowMs: services.clock.now(),
    isFromPage,
  };
}
