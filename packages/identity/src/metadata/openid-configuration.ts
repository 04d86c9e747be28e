import { supportedResponseModes, supportedResponseTypes } from "../authorize/read-authorize-request.ts";
import { supportedGrantTypes } from "../grants/token-endpoint.ts";
import { EMAIL, OFFLINE_ACCESS, OPENID, PROFILE } from "../protocol/parameters.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { AUTHENTICATION_CLASS } from "../tokens/requested-claims.ts";
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
  const { host } = new URL(publicUrl);
  const oauth2 = version === 1 ? `${base}/oauth2` : `${base}/oauth2/v2.0`;
  return {
    issuer: issuerOf(publicUrl, tenantId, version),
    authorization_endpoint: `${oauth2}/authorize`,
    token_endpoint: `${oauth2}/token`,
    device_authorization_endpoint: `${oauth2}/devicecode`,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    jwks_uri: version === 1 ? `${base}/discovery/keys` : `${base}/discovery/v2.0/keys`,
    grant_types_supported: [...supportedGrantTypes, "implicit"],
    response_types_supported: supportedResponseTypes,
    response_modes_supported: supportedResponseModes,
    scopes_supported: version === 1 ? [OPENID] : [OPENID, PROFILE, EMAIL, OFFLINE_ACCESS],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: CLAIMS[version],
    code_challenge_methods_supported: ["S256", "plain"],
    userinfo_endpoint: version === 1 ? `${base}/openid/userinfo` : `${publicUrl}/oidc/userinfo`,
    ...(choice.kind === "tenant" ? tokenJudgement(`${base}/oauth2/v2.0`) : {}),
    end_session_endpoint: `${oauth2}/logout`,
    http_logout_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    claims_parameter_supported: true,
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    acr_values_supported: [AUTHENTICATION_CLASS],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    ...(version === 1 ? { microsoft_multi_refresh_token: true } : {}),
    tenant_region_scope: null,
    cloud_instance_name: host,
    cloud_graph_host_name: host,
    msgraph_host: host,
  };
}

/** Both need to know the tenant, and take the client's credentials like the token endpoint. */
function tokenJudgement(oauth2: string): Readonly<Record<string, unknown>> {
  return {
    introspection_endpoint: `${oauth2}/introspect`,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint: `${oauth2}/revoke`,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  };
}

const CLIENT_AUTHENTICATION = ["client_secret_post", "private_key_jwt", "client_secret_basic"];
const ASSERTION_ALGORITHMS = ["RS256", "PS256"];

const CLAIMS: Readonly<Record<TokenVersion, readonly string[]>> = {
  1: [
    "sub",
    "iss",
    "aud",
    "exp",
    "iat",
    "nbf",
    "auth_time",
    "acr",
    "nonce",
    "c_hash",
    "at_hash",
    "sid",
    "roles",
    "groups",
    "wids",
    "amr",
    "email",
    "ipaddr",
    "family_name",
    "given_name",
    "name",
    "oid",
    "tid",
    "unique_name",
    "upn",
    "ver",
  ],
  2: [
    "sub",
    "iss",
    "aud",
    "exp",
    "iat",
    "nbf",
    "auth_time",
    "acr",
    "nonce",
    "c_hash",
    "at_hash",
    "sid",
    "roles",
    "groups",
    "wids",
    "email",
    "family_name",
    "given_name",
    "name",
    "oid",
    "preferred_username",
    "tid",
    "ver",
  ],
};
