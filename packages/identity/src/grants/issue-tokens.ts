import { type AuthenticatedClient } from "../applications/authenticate-client.ts";
import { type Resource } from "../applications/application.ts";
import { CLIENT_INFO } from "../protocol/parameters.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { accessTokenClaims, type Subject, type TokenTimes } from "../tokens/access-token.ts";
import { signJwt } from "../tokens/compact-jws.ts";
import { idTokenClaims } from "../tokens/id-token.ts";
import { type User } from "../users/user.ts";
import { type GrantRequest, type IssuedTokens } from "./grant.ts";
import { delegatedPermissions } from "./permissions.ts";
import { type Target } from "./token-profile.ts";

/** Resource servers whose clocks are a little slow must not refuse a fresh token. (reference §5.3) */
const NOT_BEFORE_ALLOWANCE_SECONDS = 300;

/** Issues an access token for the client itself. */
export async function issueToApplication(
  request: GrantRequest,
  tenant: Tenant,
  client: AuthenticatedClient,
  issue: { readonly resource: Resource; readonly servicePrincipalId: string },
): Promise<IssuedTokens> {
  const times = tokenTimes(request);
  const subject: Subject = { kind: "application", servicePrincipalId: issue.servicePrincipalId };
  return {
    accessToken: await signAccessToken(request, tenant, client, issue.resource, subject, times),
    times,
    resource: issue.resource,
    scopes: undefined,
    scopeText: "",
    idToken: undefined,
    refreshToken: undefined,
    clientInfo: undefined,
  };
}

/** A user who signed in, what the client wants on his behalf, and how to make the refresh token if there is one. */
export interface UserIssue {
  readonly user: User;
  readonly methods: readonly string[];
  readonly resource: Resource;
  readonly target: Target;
  readonly createRefreshToken: () => Promise<string>;
}

/** Issues what a client gets on behalf of a user: an access token and, by profile and scopes, the other two. */
export async function issueToUser(
  request: GrantRequest,
  tenant: Tenant,
  client: AuthenticatedClient,
  issue: UserIssue,
): Promise<IssuedTokens> {
  const scopes = delegatedPermissions(issue.resource, issue.target, client.application.appId);
  const subject: Subject = { kind: "user", user: issue.user, methods: issue.methods, scopes };
  const extras = request.profile.extras(issue.target);
  const times = tokenTimes(request);
  // Both signatures are made at the same time on the thread pool.
  const [accessToken, idToken, refreshToken] = await Promise.all([
    signAccessToken(request, tenant, client, issue.resource, subject, times),
    extras.idToken ? signIdToken(request, tenant, client, issue, times) : undefined,
    extras.refreshToken ? issue.createRefreshToken() : undefined,
  ]);
  return {
    accessToken,
    times,
    resource: issue.resource,
    scopes,
    scopeText: issue.target.scopeText,
    idToken,
    refreshToken,
    clientInfo: request.form.find(CLIENT_INFO) === "1" ? clientInfo(issue.user) : undefined,
  };
}

function tokenTimes(request: GrantRequest): TokenTimes {
  const issuedAtSeconds = Math.floor(request.nowMs / 1000);
  return {
    issuedAtSeconds,
    notBeforeSeconds: issuedAtSeconds - NOT_BEFORE_ALLOWANCE_SECONDS,
    expiresAtSeconds: issuedAtSeconds + request.services.settings.accessTokenSeconds,
  };
}

function signAccessToken(
  request: GrantRequest,
  tenant: Tenant,
  client: AuthenticatedClient,
  resource: Resource,
  subject: Subject,
  times: TokenTimes,
): Promise<string> {
  const claims = accessTokenClaims({
    publicUrl: request.services.settings.publicUrl,
    tenant,
    clientAppId: client.application.appId,
    clientAuthentication: client.authentication,
    resource,
    subject,
    roles: [],
    times,
  });
  return signJwt(claims, request.services.keys.current(), resource.tokenVersion);
}

function signIdToken(
  request: GrantRequest,
  tenant: Tenant,
  client: AuthenticatedClient,
  issue: UserIssue,
  times: TokenTimes,
): Promise<string> {
  const { version } = request.profile;
  const claims = idTokenClaims(
    {
      publicUrl: request.services.settings.publicUrl,
      tenant,
      clientAppId: client.application.appId,
      user: issue.user,
      methods: issue.methods,
      openIdScopes: issue.target.openIdScopes,
      times,
    },
    version,
  );
  return signJwt(claims, request.services.keys.current(), version);
}

/** Clients of the MSAL family name accounts by it. (reference §5.2) */
function clientInfo(user: User): string {
  return Buffer.from(JSON.stringify({ uid: user.id, utid: user.tenantId })).toString("base64url");
}
