import { createHash } from "node:crypto";
import { getResource } from "../applications/resource.ts";
import { delegatedPermissions } from "../grants/permissions.ts";
import { clientInfo, signUserAccessToken, signUserIdToken, tokenTimes } from "../grants/issue-tokens.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Session } from "../sign-in/session-store.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { issuerOf } from "../tokens/issuer.ts";
import { type AuthorizeRequest } from "./authorize-request.ts";

/**
 * The parameters of a successful answer: the code, tokens and what binds them together. (reference §7.2, §7.3)
 *
 * @throws IdentityError for a resource or permission that the user can't give, and for a user who isn't admitted
 */
export async function issueAuthorization(
  services: IdentityServices,
  request: AuthorizeRequest,
  session: Session,
): Promise<Readonly<Record<string, string | undefined>>> {
  const tenant = await getHomeTenant(services, request, session);
  const { target, responseTypes, application, profile } = request;
  const resource = await getResource(services.applications, tenant, target.resourceName);
  const scopes = delegatedPermissions(resource, target, application.appId);
  const times = tokenTimes(services, services.clock.now());
  const code = responseTypes.has("code") ? await createCode(services, request, tenant, session) : undefined;
  const party = {
    services,
    tenant,
    clientAppId: application.appId,
    user: session.user,
    methods: session.methods,
    times,
  };
  const accessToken = responseTypes.has("token")
    ? await signUserAccessToken({ ...party, clientAuthentication: "none", resource, scopes })
    : undefined;
  const idToken = responseTypes.has("id_token")
    ? await signUserIdToken({
        ...party,
        version: profile.version,
        openIdScopes: target.openIdScopes,
        extras: {
          nonce: request.nonce,
          authTimeSeconds: request.maxAgeSeconds === undefined ? undefined : seconds(session.authenticatedAtMs),
          c_hash: code === undefined ? undefined : halfHash(code),
          at_hash: accessToken === undefined ? undefined : halfHash(accessToken),
        },
      })
    : undefined;
  return {
    code,
    id_token: idToken,
    ...(accessToken === undefined
      ? {}
      : {
          access_token: accessToken,
          token_type: "Bearer",
          expires_in: String(times.expiresAtSeconds - times.issuedAtSeconds - 1),
          scope: profile.version === 1 ? scopes.join(" ") : target.scopeText,
        }),
    session_state: session.publicId,
    client_info: request.wantsClientInfo ? clientInfo(session.user) : undefined,
    // RFC 9207: tells the client whose answer this is.
    iss: issuerOf(services.settings.publicUrl, tenant.id, profile.version),
  };
}

/** A user is admitted where the application is at home. (reference §1) */
async function getHomeTenant(services: IdentityServices, request: AuthorizeRequest, session: Session): Promise<Tenant> {
  const tenant = await services.tenants.find(session.user.tenantId);
  if (tenant === undefined || !request.application.servicePrincipals.has(tenant.id)) {
    throw new IdentityError(50020);
  }
  return tenant;
}

function createCode(
  services: IdentityServices,
  request: AuthorizeRequest,
  tenant: Tenant,
  session: Session,
): Promise<string> {
  const { target, profile } = request;
  return services.authorizationCodes.create({
    tenantId: tenant.id,
    appId: request.application.appId,
    userId: session.user.id,
    redirectUri: request.redirectUri,
    isRedirectUriRequired: request.namesRedirectUri,
    resource: profile.version === 1 ? target.resourceName : undefined,
    scope: target.scopeText,
    nonce: request.nonce,
    codeChallenge: request.codeChallenge,
    methods: session.methods,
    authenticatedAtMs: session.authenticatedAtMs,
    isAuthTimeAsked: request.maxAgeSeconds !== undefined,
  });
}

/** Left half of the SHA-256, base64url: `c_hash` and `at_hash`. (OpenID Connect Core §3.3.2.11) */
function halfHash(value: string): string {
  return createHash("sha256").update(value, "ascii").digest().subarray(0, 16).toString("base64url");
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
