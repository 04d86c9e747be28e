import { supportedGrantTypes } from "../grants/token-endpoint.ts";
import { EMAIL, OFFLINE_ACCESS, OPENID, PROFILE } from "../protocol/parameters.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { issuerOf, TENANT_PLACEHOLDER } from "../tokens/issuer.ts";

/**
 * The discovery document of a tenant, or of `common` and `organizations`, where the tenant in the issuer stays a
 * placeholder. Addresses name the tenant by its GUID. Only what is served is advertised. (reference §9.1)
 */
export function openIdConfiguration(
  publicUrl: string,
  choice: TenantChoice,
  version: TokenVersion,
): Readonly<Record<string, unknown>> {
  const tenantId = choice.kind === "tenant" ? choice.tenant.id : TENANT_PLACEHOLDER;
  const base = `${publicUrl}/${choice.kind === "tenant" ? choice.tenant.id : choice.segment}`;
  const oauth2 = version === 1 ? `${base}/oauth2` : `${base}/oauth2/v2.0`;
  return {
    issuer: issuerOf(publicUrl, tenantId, version),
    authorization_endpoint: `${oauth2}/authorize`,
    token_endpoint: `${oauth2}/token`,
    token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256", "PS256"],
    jwks_uri: version === 1 ? `${base}/discovery/keys` : `${base}/discovery/v2.0/keys`,
    grant_types_supported: supportedGrantTypes,
    response_types_supported: RESPONSE_TYPES,
    response_modes_supported: RESPONSE_MODES,
    scopes_supported: version === 1 ? [OPENID] : [OPENID, PROFILE, EMAIL, OFFLINE_ACCESS],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: CLAIMS[version],
    request_uri_parameter_supported: false,
    ...(version === 1 ? { microsoft_multi_refresh_token: true } : {}),
  };
}

const RESPONSE_TYPES = ["code"];
const RESPONSE_MODES = ["query"];

const CLAIMS: Readonly<Record<TokenVersion, readonly string[]>> = {
  1: [
    "sub",
    "iss",
    "aud",
    "exp",
    "iat",
    "nbf",
    "amr",
    "family_name",
    "given_name",
    "name",
    "oid",
    "tid",
    "unique_name",
    "upn",
    "ver",
  ],
  2: ["sub", "iss", "aud", "exp", "iat", "nbf", "email", "name", "oid", "preferred_username", "tid", "ver"],
};
