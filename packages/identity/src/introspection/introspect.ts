import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type LiveToken } from "../revocation/live-tokens.ts";
import { type OwnAccessToken } from "../tokens/own-access-token.ts";
import { type Caller } from "./authenticate-caller.ts";

const INACTIVE = JSON.stringify({ active: false });

/**
 * What a token is worth now: an access token of the caller's tenant, or a refresh token of the caller itself. Anything
 * else is inactive, without a reason. (RFC 7662 §2.2; decisions/0071)
 *
 * @returns JSON
 */
export async function introspect(services: IdentityServices, caller: Caller, token: string): Promise<string> {
  const judgement = await services.liveTokens.judge(token);
  if (typeof judgement === "object") {
    return judgement.tenant.id === caller.tenant.id ? accessTokenMembers(judgement) : INACTIVE;
  }
  return judgement === "malformed" ? introspectRefreshToken(services, caller, token) : INACTIVE;
}

/** What was said of a token before: a resource server asks at every request, and neither claims nor names change. */
const answers = new WeakMap<OwnAccessToken, string>();

/** Claims under their own names, and those that RFC 7662 names otherwise. */
function accessTokenMembers({ token, user }: LiveToken): string {
  const known = answers.get(token);
  if (known !== undefined) {
    return known;
  }
  const text = JSON.stringify({
    ...token.claims,
    active: true,
    token_type: "Bearer",
    client_id: token.clientAppId,
    jti: token.id,
    scope: token.scopes.size === 0 ? undefined : [...token.scopes].join(" "),
    username: user?.userPrincipalName,
  });
  answers.set(token, text);
  return text;
}

async function introspectRefreshToken(
  services: IdentityServices,
  { application, tenant }: Caller,
  token: string,
): Promise<string> {
  try {
    // Looking is not using: without rotation nothing is used up.
    const { family, scope } = await services.refreshTokens.present(token, { appId: application.appId });
    const user = await services.users.findById(tenant.id, family.userId);
    if (user?.isEnabled !== true || family.authenticatedAtMs < user.sessionsValidFromMs) {
      return INACTIVE;
    }
    return JSON.stringify({
      active: true,
      client_id: application.appId,
      scope,
      username: user.userPrincipalName,
      oid: user.id,
      tid: tenant.id,
      auth_time: Math.floor(family.authenticatedAtMs / 1000),
    });
  } catch (error) {
    if (error instanceof IdentityError) {
      return INACTIVE;
    }
    throw error;
  }
}
