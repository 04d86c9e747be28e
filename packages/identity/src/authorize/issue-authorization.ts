import { createHash } from "node:crypto";
import { getResource } from "../applications/resource.ts";
import { checkUserAdmission } from "../grants/admission.ts";
import {
  delegatedPermissions,
  judgePermissions,
  type PermissionRequest,
  type PermissionState,
} from "../grants/permissions.ts";
import { clientInfo, signUserAccessToken, signUserIdToken, tokenTimes } from "../grants/issue-tokens.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Session } from "../sign-in/session-store.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { issuerOf } from "../tokens/issuer.ts";
import { type AuthorizeRequest } from "./authorize-request.ts";

/** A user in front of an application, and what the application wants in the user's name. */
export interface Authorization extends PermissionRequest {
  readonly session: Session;
  readonly permissions: PermissionState;
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
  // A user is admitted where the application is at home. (reference §1)
  if (tenant === undefined || !request.application.servicePrincipals.has(tenant.id)) {
    throw new IdentityError(50020);
  }
  await checkUserAdmission(services, tenant, request.application, user);
  const resource = await getResource(services.applications, tenant, request.target.resourceName);
  const permissionRequest = { tenant, client: request.application, user, resource, target: request.target };
  const permissions = await judgePermissions(services, permissionRequest);
  return { ...permissionRequest, session, permissions };
}

/** The parameters of a successful answer: the code, tokens and what binds them together. (reference §7.2, §7.3) */
export async function issueAuthorization(
  services: IdentityServices,
  request: AuthorizeRequest,
  authorization: Authorization,
): Promise<Readonly<Record<string, string | undefined>>> {
  const { tenant, resource, session, client, user } = authorization;
  const { target, responseTypes, profile } = request;
  const scopes = await delegatedPermissions(services, authorization, "stored");
  await services.sessions.noteClient(session, client.appId);
  const times = tokenTimes(services, services.clock.now());
  const code = responseTypes.has("code") ? await createCode(services, request, tenant, session) : undefined;
  const party = { services, tenant, client, user, methods: session.methods, times };
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
