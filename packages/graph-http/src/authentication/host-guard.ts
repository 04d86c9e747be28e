import { isLoopbackHost } from "@trefoil/http";
import { type IncomingHttpHeaders } from "node:http";

/**
 * Whether a server without authentication serves a request: only one that names this machine or an allowed host in
 * `Host`, and in `Origin` where there is one. Otherwise any web page could drive a developer's database (rulings, Graph 8).
 *
 * @param allowedHosts  host names without port; `*` allows all
 */
export function isAllowedHost(headers: IncomingHttpHeaders, allowedHosts: readonly string[]): boolean {
  if (allowedHosts.includes("*")) {
    return true;
  }
  const isAllowed = (host: string): boolean =>
    isLoopbackHost(host) || allowedHosts.includes(host.replace(/:\d*$/, "").toLowerCase());
  const { host, origin } = headers;
  if (host !== undefined && !isAllowed(host)) {
    return false;
  }
  return origin === undefined || isAllowed(hostOf(origin));
}

/** `null` and what is no address name no host that could be allowed. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : "";
}
