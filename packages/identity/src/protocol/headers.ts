/** Headers of the identity provider's answers. (reference §2.1) */

export const CLIENT_REQUEST_ID = "client-request-id";
export const RETURN_CLIENT_REQUEST_ID = "return-client-request-id";
/** Names the tenant a management request is about; the first one when absent. */
export const TENANT = "x-tenant";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Nothing that answers a credential is ever kept by a cache. */
export const NEVER_CACHED: Readonly<Record<string, string>> = {
  "cache-control": "no-store, no-cache",
  pragma: "no-cache",
  expires: "-1",
};

/** Metadata and keys may be read by every origin and kept for a day. */
export const PUBLIC_METADATA: Readonly<Record<string, string>> = {
  "cache-control": "max-age=86400, private",
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, OPTIONS",
};

/** @returns a record of the caller's own, to add to */
export function everywhere(traceId: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-ms-request-id": traceId,
  };
}
