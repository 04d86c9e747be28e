import { IdentityError } from "../protocol/identity-error.ts";

const API_VERSIONS: ReadonlySet<string> = new Set(["1.0", "1.1"]);

/**
 * Tells a client that an authority is a genuine one: ours is, no other. The port belongs to the host's name.
 * (reference §9.3)
 *
 * @throws IdentityError 50050 without `authorization_endpoint`, 50049 for a host that isn't ours
 */
export function instanceDiscovery(
  publicUrl: string,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const endpoint = query["authorization_endpoint"];
  if (typeof endpoint !== "string") {
    throw new IdentityError(50050, { name: "authorization_endpoint" });
  }
  const version = query["api-version"] ?? "1.1";
  if (typeof version !== "string" || !API_VERSIONS.has(version)) {
    throw new IdentityError(50050, { name: "api-version" });
  }
  const own = new URL(publicUrl);
  const asked = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (asked === undefined || asked.host !== own.host) {
    throw new IdentityError(50049, { value: endpoint });
  }
  const [tenant = ""] = asked.pathname.replace(/^\//, "").split("/");
  const path = asked.pathname.toLowerCase().includes("/v2.0") ? `${tenant}/v2.0` : tenant;
  return {
    tenant_discovery_endpoint: `${publicUrl}/${path === "" ? "common" : path}/.well-known/openid-configuration`,
    "api-version": version,
    metadata: [{ preferred_network: own.host, preferred_cache: own.host, aliases: [own.host] }],
  };
}
