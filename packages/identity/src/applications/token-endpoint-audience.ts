import { COMMON, ORGANIZATIONS } from "../protocol/parameters.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type AudienceJudge } from "./client-assertion.ts";

/** What may follow the tenant in an assertion's `aud`: both token endpoints and both issuers. (reference §3.1) */
const PATHS: ReadonlySet<string> = new Set(["oauth2/token", "oauth2/v2.0/token", "v2.0", ""]);

/**
 * Whether an assertion's `aud` is a token endpoint or issuer of ours, with the tenant in any of its spellings. A query
 * says nothing: ADAL for Go leaves `api-version` in it.
 *
 * @param origins  every origin the provider is reached under, lower case: the public one and those of the listeners
 */
export function audienceJudge(origins: ReadonlySet<string>, tenant: Tenant): AudienceJudge {
  const segments = new Set([tenant.id, ...tenant.domains, COMMON, ORGANIZATIONS]);
  return (audience) => {
    const url = URL.canParse(audience) ? new URL(audience) : undefined;
    if (url === undefined || url.hash !== "" || !origins.has(url.origin)) {
      return false;
    }
    const [segment = "", ...rest] = url.pathname.toLowerCase().replace(/^\//, "").replace(/\/$/, "").split("/");
    return segments.has(segment) && PATHS.has(rest.join("/"));
  };
}
