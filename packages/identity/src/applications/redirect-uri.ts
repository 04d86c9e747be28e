import { ManagementError } from "../protocol/management-error.ts";
import { type RedirectUri } from "./application.ts";

const LENGTH_LIMIT = 256;
/** Refused in reply addresses by the interface's clients, and the wildcard that we don't offer. (reference §7.5) */
const UNWANTED = /[!$'(),;*\s\\]/;
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]"]);

/**
 * Whether a reply address is protected on its way: https anywhere, plain http on `localhost` alone; other schemes and
 * loopback addresses are a matter of what is registered. (identity §4.2; rulings, Identity 6)
 */
export function isSecureRedirectUri(url: URL): boolean {
  return url.protocol !== "http:" || url.hostname === "localhost";
}

/**
 * A reply address for registration.
 *
 * @throws ManagementError when it isn't absolute, has a fragment, is too long, or its scheme isn't allowed for the type
 */
export function readRedirectUri(uri: string, type: RedirectUri["type"]): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isMalformed = url === undefined || uri.includes("#") || UNWANTED.test(uri) || url.username !== "";
  if (isMalformed || uri.length > LENGTH_LIMIT) {
    throw new ManagementError(
      "Request_BadRequest",
      `'${uri}' is not a reply address: it must be absolute, at most ${LENGTH_LIMIT} characters, without fragment, ` +
        "wildcards, blanks and ! $ ' ( ) , ;",
    );
  }
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  const isLoopbackOfPublicClient = type === "public" && LOOPBACK.has(url.hostname);
  if ((!isWeb && type !== "public") || (isWeb && !isSecureRedirectUri(url) && !isLoopbackOfPublicClient)) {
    throw new ManagementError(
      "Request_BadRequest",
      `The reply address '${uri}' does not use a secure scheme: https, or http on localhost`,
    );
  }
  if (["javascript:", "data:", "file:", "blob:", "vbscript:", "urn:"].includes(url.protocol)) {
    throw new ManagementError("Request_BadRequest", `A reply address cannot begin with ${url.protocol}`);
  }
  return uri;
}
