import { createHash } from "node:crypto";
import { getResource } from "../applications/resource.ts";
import { checkUserAdmission } from "../grants/admission.ts";
import {
  delegatedPermissions,
  judgePermissions,
  type PermissionRequest,
  type PermissionState,
} from "../grants/permissions.ts";
import { clientInfo, signUserAccessToken, signUserIdToken } from "../grants/issue-tokens.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Session } from "../sign-in/session-store.ts";
import { type ClaimSources } from "../tokens/directory-claims.ts";
import { issuerOf } from "../tokens/issuer.ts";
import { tokenTimes } from "../tokens/token-times.ts";
import { type AuthorizeRequest } from "./authorize-request.ts";

/** A user in front of an application, and what the application wants in the user's name. */
export interface Authorization extends PermissionRequest {
  readonly session: Session;
  readonly permissions: PermissionState;
  /** Whether the client comes from another tenant and is admitted to this one by the consent alone. */
  readonly isNewHere: boolean;
}

/**
 * Finds out what an answer would give.
 *
 * @throws IdentityError for a user who isn't admitted and for a resource or permission that doesn't exist
 */
export async function prepareAuthorization(
  services: IdentityServices,
  request: AuthorizeRequest,
  session: Session,
): Promise<Authorization> {
  const { user } = session;
  const tenant = await services.tenants.find(user.tenantId);
  const { application } = request;
  const isAtHome = application.servicePrincipals.has(user.tenantId);
  // A user is admitted where the application is at home, or may be. (reference §1)
  if (tenant === undefined || !(isAtHome || application.document.isMultiTenant)) {
    throw new IdentityError(50020);
  }
  const resource = await getResource(services.applications, tenant, request.target.resourceName);
  const permissionRequest = { tenant, client: request.application, user, resource, target: request.target };
  await checkUserAdmission(services, tenant, permissionRequest);
  const permissions = await judgePermissions(services, permissionRequest);
  return { ...permissionRequest, session, permissions, isNewHere: !isAtHome };
}

/** The parameters of a successful answer: the code, tokens and what binds them together. (reference §7.2, §7.3) */
export async function issueAuthorization(
  services: IdentityServices,
  request: AuthorizeRequest,
  authorization: Authorization,
  ipAddress: string,
): Promise<Readonly<Record<string, string | undefined>>> {
  const { tenant, resource, session, client, user } = authorization;
  const { target, responseTypes, profile } = request;
  const { scopes } = await delegatedPermissions(services, authorization, "stored");
  await services.sessions.noteClient(session, { appId: client.appId, version: profile.version });
  const code = responseTypes.has("code") ? await createCode(services, request, authorization, ipAddress) : undefined;
  const nowMs = services.clock.now();
  const sources: ClaimSources = {
    user,
    requested: request.requestedClaims,
    methods: session.methods,
    authenticatedAtMs: session.authenticatedAtMs,
    sessionId: session.publicId,
    ipAddress,
  };
  const party = { services, tenant, client, sources };
  const times = await tokenTimes(services, tenant, resource.registration, nowMs);
  const accessToken = responseTypes.has("token")
    ? await signUserAccessToken(party, {
        clientAuthentication: "none",
        resource,
        scopes,
        times,
        familyId: undefined,
      })
    : undefined;
  const isAuthTimeAsked = wantsAuthTime(request);
  const idToken = responseTypes.has("id_token")
    ? await signUserIdToken(party, {
        version: profile.version,
        openIdScopes: target.openIdScopes,
        times: await tokenTimes(services, tenant, client, nowMs),
        isFrontChannel: true,
        extras: {
          nonce: request.nonce,
          authTimeSeconds: isAuthTimeAsked ? seconds(session.authenticatedAtMs) : undefined,
          sid: session.publicId,
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
    client_info: request.wantsClientInfo ? clientInfo(user) : undefined,
    // RFC 9207: tells the client whose answer this is.
    iss: issuerOf(services.settings.publicUrl, tenant.id, profile.version),
  };
}

function createCode(
  services: IdentityServices,
  request: AuthorizeRequest,
  { tenant, session }: Authorization,
  ipAddress: string,
): Promise<string> {
  return services.authorizationCodes.create({
    tenantId: tenant.id,
    appId: request.application.appId,
    userId: session.user.id,
    redirectUri: request.redirectUri,
    isRedirectUriRequired: request.namesRedirectUri,
    resource: request.target.resourceName,
    scope: request.scopeText,
    nonce: request.nonce,
    codeChallenge: request.codeChallenge,
    methods: session.methods,
    authenticatedAtMs: session.authenticatedAtMs,
    isAuthTimeAsked: wantsAuthTime(request),
    sessionId: session.publicId,
    claims: request.claimsText,
    ipAddress,
  });
}

/** With `max_age` the claim is required, with `claims` it is wished for. (OpenID Connect Core §2) */
function wantsAuthTime({ maxAgeSeconds, requestedClaims }: AuthorizeRequest): boolean {
  return maxAgeSeconds !== undefined || requestedClaims.idToken.has("auth_time");
}

/** Left half of the SHA-256, base64url: `c_hash` and `at_hash`. (OpenID Connect Core §3.3.2.11) */
function halfHash(value: string): string {
  return createHash("sha256").update(value, "ascii").digest().subarray(0, 16).toString("base64url");
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
