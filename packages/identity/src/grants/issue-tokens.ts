import { type AuthenticatedClient, type ClientAuthentication } from "../applications/authenticate-client.ts";
import { type Application, type Resource } from "../applications/application.ts";
import { CLIENT_INFO } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { accessTokenClaims, type TokenTimes } from "../tokens/access-token.ts";
import { signJwt, type TokenVersion } from "../tokens/compact-jws.ts";
import { type IdTokenExtras, idTokenClaims } from "../tokens/id-token.ts";
import { type User } from "../users/user.ts";
import { accessTokenUserClaims, idTokenUserClaims, roleClaims } from "../tokens/directory-claims.ts";
import { checkApplicationAdmission, checkUserAdmission } from "./admission.ts";
import { type GrantRequest, type IssuedTokens } from "./grant.ts";
import { type ConsentRule, delegatedPermissions } from "./permissions.ts";
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
  const { services, nowMs } = request;
  const times = tokenTimes(services, nowMs);
  const accessToken = await signApplicationAccessToken(services, {
    ...issue,
    tenant,
    clientAppId: client.application.appId,
    clientAuthentication: client.authentication,
    times,
  });
  return {
    accessToken,
    times,
    resource: issue.resource,
    scopes: undefined,
    scopeText: "",
    idToken: undefined,
    refreshToken: undefined,
    clientInfo: undefined,
  };
}

/** An application that acts for itself, and what it gets a token for. */
export interface ApplicationAccessToken {
  readonly tenant: Tenant;
  readonly clientAppId: string;
  readonly clientAuthentication: ClientAuthentication;
  readonly resource: Resource;
  readonly servicePrincipalId: string;
  readonly times: TokenTimes;
}

/** @throws IdentityError 501051 when the resource doesn't admit the application */
export async function signApplicationAccessToken(
  services: IdentityServices,
  { servicePrincipalId, ...token }: ApplicationAccessToken,
): Promise<string> {
  const { tenant, resource } = token;
  await checkApplicationAdmission(services, tenant, servicePrincipalId, resource);
  const claims = accessTokenClaims({
    ...token,
    publicUrl: services.settings.publicUrl,
    subject: { kind: "application", servicePrincipalId },
    directoryClaims: await roleClaims(services, tenant, servicePrincipalId, resource),
  });
  return signJwt(claims, services.keys.current(), resource.tokenVersion);
}

/** A user who signed in, what the client wants on his behalf, and how to make the refresh token if there is one. */
export interface UserIssue {
  readonly user: User;
  readonly methods: readonly string[];
  readonly resource: Resource;
  readonly target: Target;
  readonly consent: ConsentRule;
  readonly createRefreshToken: () => Promise<string>;
  /** The access token's id, where it must be known beforehand. */
  readonly tokenId?: string | undefined;
  readonly idTokenExtras?: IdTokenExtras;
}

/** Issues what a client gets on behalf of a user: an access token and, by profile and scopes, the other two. */
export async function issueToUser(
  request: GrantRequest,
  tenant: Tenant,
  client: AuthenticatedClient,
  issue: UserIssue,
): Promise<IssuedTokens> {
  const { services, profile } = request;
  const { resource, target, user } = issue;
  const { application } = client;
  await checkUserAdmission(services, tenant, application, user);
  const permissions = { tenant, client: application, user, resource, target };
  const scopes = await delegatedPermissions(services, permissions, issue.consent);
  const extras = profile.extras(target);
  const times = tokenTimes(services, request.nowMs);
  const party = { services, tenant, client: application, user, methods: issue.methods, times };
  // Both signatures are made at the same time on the thread pool.
  const [accessToken, idToken, refreshToken] = await Promise.all([
    signUserAccessToken({
      ...party,
      clientAuthentication: client.authentication,
      resource,
      scopes,
      tokenId: issue.tokenId,
    }),
    extras.idToken
      ? signUserIdToken({
          ...party,
          version: profile.version,
          openIdScopes: target.openIdScopes,
          extras: issue.idTokenExtras ?? {},
        })
      : undefined,
    extras.refreshToken ? issue.createRefreshToken() : undefined,
  ]);
  return {
    accessToken,
    times,
    resource,
    scopes,
    scopeText: target.scopeText,
    idToken,
    refreshToken,
    clientInfo: request.form.find(CLIENT_INFO) === "1" ? clientInfo(user) : undefined,
  };
}

export function tokenTimes(services: IdentityServices, nowMs: number): TokenTimes {
  const issuedAtSeconds = Math.floor(nowMs / 1000);
  return {
    issuedAtSeconds,
    notBeforeSeconds: issuedAtSeconds - NOT_BEFORE_ALLOWANCE_SECONDS,
    expiresAtSeconds: issuedAtSeconds + services.settings.accessTokenSeconds,
  };
}

/** Who signed in where: what every token of a user says. */
interface UserParty {
  readonly services: IdentityServices;
  readonly tenant: Tenant;
  readonly client: Application;
  readonly user: User;
  readonly methods: readonly string[];
  readonly times: TokenTimes;
}

export interface UserAccessToken extends UserParty {
  readonly clientAuthentication: ClientAuthentication;
  readonly resource: Resource;
  readonly scopes: readonly string[];
  readonly tokenId?: string | undefined;
}

export async function signUserAccessToken(token: UserAccessToken): Promise<string> {
  const { services, tenant, user, methods, scopes, resource } = token;
  const claims = accessTokenClaims({
    publicUrl: services.settings.publicUrl,
    tenant,
    clientAppId: token.client.appId,
    clientAuthentication: token.clientAuthentication,
    resource,
    subject: { kind: "user", user, methods, scopes },
    directoryClaims: await accessTokenUserClaims(services, tenant, resource, user),
    times: token.times,
    tokenId: token.tokenId,
  });
  return signJwt(claims, services.keys.current(), resource.tokenVersion);
}

export interface UserIdToken extends UserParty {
  readonly version: TokenVersion;
  readonly openIdScopes: ReadonlySet<string>;
  readonly extras: IdTokenExtras;
}

export async function signUserIdToken({ services, version, client, ...content }: UserIdToken): Promise<string> {
  const directoryClaims = await idTokenUserClaims(services, content.tenant, client, content.user);
  const { publicUrl } = services.settings;
  const claims = idTokenClaims({ publicUrl, clientAppId: client.appId, directoryClaims, ...content }, version);
  return signJwt(claims, services.keys.current(), version);
}

/** Clients of the MSAL family name accounts by it. (reference §5.2) */
export function clientInfo(user: User): string {
  return Buffer.from(JSON.stringify({ uid: user.id, utid: user.tenantId })).toString("base64url");
}
