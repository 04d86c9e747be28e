import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ClientContext } from "./authenticate-client.ts";
import { audienceJudge } from "./token-endpoint-audience.ts";

/** What clients of a tenant are authenticated with, now. */
export function clientContext(services: IdentityServices, tenant: Tenant): ClientContext {
  return {
    applications: services.applications,
    tenant,
    isOurAudience: audienceJudge(services.settings.origins, tenant),
    federation: services.federation,
    usedAssertions: services.usedAssertions,
    nowMs: services.clock.now(),
  };
}
