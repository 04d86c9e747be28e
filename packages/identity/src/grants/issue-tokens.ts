import { type AuthenticatedClient, type ClientAuthentication } from "../applications/authenticate-client.ts";
import { type Application, type Resource } from "../applications/application.ts";
import { CLAIMS, CLIENT_INFO } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { accessTokenClaims, type TokenTimes } from "../tokens/access-token.ts";
import { signJwt, type TokenVersion } from "../tokens/compact-jws.ts";
import {
  accessTokenUserClaims,
  applicationTokenClaims,
  type ClaimSources,
  idTokenUserClaims,
} from "../tokens/directory-claims.ts";
import { type IdTokenExtras, idTokenClaims } from "../tokens/id-token.ts";
import { type RefreshTokenFamily } from "../tokens/refresh-token-store.ts";
import { mergeClaims, NO_CLAIMS, readRequestedClaims, type RequestedClaims } from "../tokens/requested-claims.ts";
import { tokenTimes } from "../tokens/token-times.ts";
import { type User } from "../users/user.ts";
import { checkApplicationAdmission, checkUserAdmission } from "./admission.ts";
import { type GrantRequest, type IssuedTokens } from "./grant.ts";
import { type ConsentRule, delegatedPermissions, storeConsent } from "./permissions.ts";
import { type Target } from "./token-profile.ts";

/** Issues an access token for the client itself. */
export async function issueToApplication(
  request: GrantRequest,
  tenant: Tenant,
  client: AuthenticatedClient,
  { resource, servicePrincipalId }: { readonly resource: Resource; readonly servicePrincipalId: string },
): Promise<IssuedTokens> {
  const { services, nowMs, form } = request;
  const requested = readRequestedClaims(form.find(CLAIMS));
  const times = await tokenTimes(services, tenant, resource.registration, nowMs);
  const accessToken = await signApplicationAccessToken(services, {
    tenant,
    clientAppId: client.application.appId,
    clientAuthentication: client.authentication,
    resource,
    servicePrincipalId,
    times,
    requested,
  });
  return {
    accessToken,
    tenantId: tenant.id,
    clientAppId: client.application.appId,
    subject: { kind: "application", id: servicePrincipalId },
    times,
    resource,
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
  readonly requested?: RequestedClaims | undefined;
}

/** @throws IdentityError 501051 when the resource doesn't admit the application */
export async function signApplicationAccessToken(
  services: IdentityServices,
  token: ApplicationAccessToken,
): Promise<string> {
  const { tenant, resource, servicePrincipalId, requested = NO_CLAIMS } = token;
  await checkApplicationAdmission(services, tenant, servicePrincipalId, resource);
  const claims = accessTokenClaims({
    publicUrl: services.settings.publicUrl,
    tenant,
    clientAppId: token.clientAppId,
    clientAuthentication: token.clientAuthentication,
    resource,
    subject: { kind: "application", servicePrincipalId },
    directoryClaims: await applicationTokenClaims(services, tenant, servicePrincipalId, resource, requested),
    times: token.times,
  });
  return await signJwt(claims, services.keys.current(), resource.tokenVersion);
}

/** A user who signed in, and what the client wants on his behalf. */
export interface UserIssue {
  readonly user: User;
  /** The sign-in that the tokens come from. */
  readonly family: RefreshTokenFamily;
  /** Whether the sign-in begins with these tokens. */
  readonly isNewFamily: boolean;
  readonly resource: Resource;
  readonly target: Target;
  readonly consent: ConsentRule;
  /** As the authorize request sent it. */
  readonly nonce?: string | undefined;
  /** What the authorize request asked for in its `claims`. */
  readonly requested?: RequestedClaims | undefined;
  readonly isAuthTimeAsked?: boolean | undefined;
  /** Uses up the code that the client presents; not before everything else is found good. */
  readonly useUp?: (() => Promise<void>) | undefined;
  /** The refresh token that the client presents, if it rotates: used up as late. */
  readonly usedUpToken?: string | undefined;
  /** Where the user sat when he signed in, if that isn't where the request comes from. */
  readonly ipAddress?: string | undefined;
}

/** Issues what a client gets on behalf of a user: an access token and, by profile and scopes, the other two. */
export async function issueToUser(
  request: GrantRequest,
  tenant: Tenant,
  client: AuthenticatedClient,
  issue: UserIssue,
): Promise<IssuedTokens> {
  const { services, profile, nowMs, form } = request;
  const { resource, target, user, family } = issue;
  const { application } = client;
  const requested = mergeClaims(issue.requested ?? NO_CLAIMS, readRequestedClaims(form.find(CLAIMS)));
  const permissions = { tenant, client: application, user, resource, target };
  await checkUserAdmission(services, tenant, permissions);
  const { scopes, implied } = await delegatedPermissions(services, permissions, issue.consent);
  const extras = profile.extras(target);
  const times = await tokenTimes(services, tenant, resource.registration, nowMs);
  const idTokenTimes = extras.idToken ? await tokenTimes(services, tenant, application, nowMs) : times;
  const party: UserParty = {
    services,
    tenant,
    client: application,
    sources: {
      user,
      requested,
      methods: family.methods,
      authenticatedAtMs: family.authenticatedAtMs,
      sessionId: family.sessionId,
      ipAddress: issue.ipAddress ?? request.ipAddress,
    },
  };
  const refreshTerms = { resource: resource.requestedAs, scope: target.scopeText };
  const lifetimes = await services.tokenLifetimes.of(tenant.id, application);
  const useUpAndKeep = async (): Promise<string | undefined> => {
    await issue.useUp?.();
    const refreshToken = extras.refreshToken ? await keepSignIn(services, issue, refreshTerms, lifetimes) : undefined;
    if (implied.length > 0) {
      await storeConsent(services, permissions, implied, { userId: user.id });
    }
    return refreshToken;
  };
  // From here on nothing is refused for what the request says. What it presents is used up while the thread pool signs;
  // when another was faster, nobody gets what was signed.
  const [accessToken, idToken, refreshToken] = await Promise.all([
    signUserAccessToken(party, {
      clientAuthentication: client.authentication,
      resource,
      scopes,
      familyId: family.id,
      times,
    }),
    extras.idToken
      ? signUserIdToken(party, {
          version: profile.version,
          openIdScopes: target.openIdScopes,
          times: idTokenTimes,
          extras: {
            nonce: issue.nonce,
            authTimeSeconds: issue.isAuthTimeAsked === true ? seconds(family.authenticatedAtMs) : undefined,
            sid: family.sessionId,
          },
        })
      : undefined,
    useUpAndKeep(),
  ]);
  return {
    accessToken,
    tenantId: tenant.id,
    clientAppId: application.appId,
    subject: { kind: "user", id: user.id, name: user.userPrincipalName },
    times,
    resource,
    scopes,
    scopeText: target.scopeText,
    idToken,
    refreshToken,
    clientInfo: form.find(CLIENT_INFO) === "1" ? clientInfo(user) : undefined,
  };
}

function keepSignIn(
  { refreshTokens }: IdentityServices,
  { family, isNewFamily, usedUpToken }: UserIssue,
  terms: { readonly resource: string; readonly scope: string },
  lifetimes: { readonly maxInactiveSeconds?: number | undefined; readonly maxAgeSeconds?: number | undefined },
): Promise<string> {
  return isNewFamily
    ? refreshTokens.begin(family, terms, lifetimes)
    : refreshTokens.extend(family, terms, lifetimes, usedUpToken);
}

/** Who signed in where: what every token of a user says. */
export interface UserParty {
  readonly services: IdentityServices;
  readonly tenant: Tenant;
  readonly client: Application;
  readonly sources: ClaimSources;
}

export interface UserAccessToken {
  readonly clientAuthentication: ClientAuthentication;
  readonly resource: Resource;
  readonly scopes: readonly string[];
  readonly times: TokenTimes;
  /** The sign-in that it ends with; undefined for one that comes straight from the authorize endpoint. */
  readonly familyId: string | undefined;
}

export async function signUserAccessToken(party: UserParty, token: UserAccessToken): Promise<string> {
  const { services, tenant, client, sources } = party;
  const { resource } = token;
  const directoryClaims = await accessTokenUserClaims(services, tenant, resource, sources);
  const claims = accessTokenClaims({
    publicUrl: services.settings.publicUrl,
    tenant,
    clientAppId: client.appId,
    clientAuthentication: token.clientAuthentication,
    resource,
    subject: {
      kind: "user",
      user: sources.user,
      methods: sources.methods,
      sessionId: sources.sessionId,
      ipAddress: sources.ipAddress,
      scopes: token.scopes,
    },
    directoryClaims,
    times: token.times,
    familyId: token.familyId,
  });
  return await signJwt(claims, services.keys.current(), resource.tokenVersion);
}

export interface UserIdToken {
  readonly version: TokenVersion;
  readonly openIdScopes: ReadonlySet<string>;
  readonly times: TokenTimes;
  readonly extras: IdTokenExtras;
  /** Whether it goes through the browser's address, where long lists don't fit. */
  readonly isFrontChannel?: boolean | undefined;
}

export async function signUserIdToken(party: UserParty, token: UserIdToken): Promise<string> {
  const { services, tenant, client, sources } = party;
  const isFrontChannel = token.isFrontChannel === true;
  const directoryClaims = await idTokenUserClaims(services, tenant, client, sources, isFrontChannel);
  const content = {
    publicUrl: services.settings.publicUrl,
    tenant,
    clientAppId: client.appId,
    user: sources.user,
    methods: sources.methods,
    ipAddress: sources.ipAddress,
    openIdScopes: token.openIdScopes,
    times: token.times,
    directoryClaims,
    extras: token.extras,
  };
  return await signJwt(idTokenClaims(content, token.version), services.keys.current(), token.version);
}

/** Clients of the MSAL family name accounts by it. (reference §5.2) */
export function clientInfo(user: User): string {
  return Buffer.from(JSON.stringify({ uid: user.id, utid: user.tenantId })).toString("base64url");
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
