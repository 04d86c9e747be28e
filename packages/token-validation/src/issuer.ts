/** Whose tokens are believed: every tenant of a provider, or one. */
export interface TrustedIssuer {
  /** Origin and path before the tenant, without a final slash. */
  readonly base: string;
  /** undefined: every tenant. */
  readonly tenantId: string | undefined;
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reads an issuer as configured: the provider's origin, or a tenant's issuer in its v1 or v2.0 form.
 *
 * @throws TypeError for anything else, and for plain http to another machine
 */
export function parseTrustedIssuer(text: string): TrustedIssuer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
  if (url === undefined || !isSecure || url.search !== "" || url.hash !== "") {
    throw new TypeError(`An issuer is an https address, not '${text}'`);
  }
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const path = segments.at(-1) === "v2.0" ? segments.slice(0, -1) : segments;
  const tenantId = GUID.test(path.at(-1) ?? "") ? path.at(-1)?.toLowerCase() : undefined;
  const before = tenantId === undefined ? path : path.slice(0, -1);
  return { base: [url.origin, ...before].join("/"), tenantId };
}

/** Where the issuer's metadata is; that of all tenants together has a placeholder for the tenant in its issuer. */
export function discoveryUrl({ base, tenantId }: TrustedIssuer): string {
  return `${base}/${tenantId ?? "common"}/v2.0/.well-known/openid-configuration`;
}

/** Where users sign in, as v1 clients want to be told. */
export function authorizationUrl({ base, tenantId }: TrustedIssuer): string {
  return `${base}/${tenantId ?? "common"}/oauth2/authorize`;
}

/** The `issuer` that the metadata must name. */
export function metadataIssuer({ base, tenantId }: TrustedIssuer): string {
  return `${base}/${tenantId ?? "{tenantid}"}/v2.0`;
}

/** Whether a token's `iss` is this issuer for the token's own tenant, in the v1 or the v2.0 form. */
export function isIssuerOf(issuer: TrustedIssuer, iss: unknown, tid: unknown): boolean {
  if (typeof tid !== "string" || !GUID.test(tid) || (issuer.tenantId ?? tid.toLowerCase()) !== tid.toLowerCase()) {
    return false;
  }
  return iss === `${issuer.base}/${tid}/` || iss === `${issuer.base}/${tid}/v2.0`;
}
