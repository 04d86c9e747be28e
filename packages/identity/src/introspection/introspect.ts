import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type LiveToken } from "../revocation/live-tokens.ts";
import { type Caller } from "./authenticate-caller.ts";

type Introspection = { readonly active: boolean } & Readonly<Record<string, unknown>>;

const INACTIVE: Introspection = { active: false };

/**
 * What a token is worth now: an access token of the caller's tenant, or a refresh token of the caller itself. Anything
 * else is inactive, without a reason. (RFC 7662 §2.2; decisions/0071)
 */
export async function introspect(services: IdentityServices, caller: Caller, token: string): Promise<Introspection> {
  const judgement = await services.liveTokens.judge(token);
  if (typeof judgement === "object") {
    return judgement.tenant.id === caller.tenant.id ? accessTokenMembers(judgement) : INACTIVE;
  }
  return judgement === "malformed" ? introspectRefreshToken(services, caller, token) : INACTIVE;
}

/** Claims under their own names, and those that RFC 7662 names otherwise. */
function accessTokenMembers({ token, user }: LiveToken): Introspection {
  return {
    ...token.claims,
    active: true,
    token_type: "Bearer",
    client_id: token.clientAppId,
    jti: token.id,
    ...(token.scopes.size === 0 ? {} : { scope: [...token.scopes].join(" ") }),
    ...(user === undefined ? {} : { username: user.userPrincipalName }),
  };
}

async function introspectRefreshToken(
  services: IdentityServices,
  { application, tenant }: Caller,
  token: string,
): Promise<Introspection> {
  try {
    // Looking is not using: without rotation nothing is used up.
    const { family, scope } = await services.refreshTokens.present(token, { appId: application.appId });
    const user = await services.users.findById(tenant.id, family.userId);
    if (user?.isEnabled !== true || family.authenticatedAtMs < user.sessionsValidFromMs) {
      return INACTIVE;
    }
    return {
      active: true,
      client_id: application.appId,
      scope,
      username: user.userPrincipalName,
      oid: user.id,
      tid: tenant.id,
      auth_time: Math.floor(family.authenticatedAtMs / 1000),
    };
  } catch (error) {
    if (error instanceof IdentityError) {
      return INACTIVE;
    }
    throw error;
  }
}
