import { type Caller } from "../introspection/authenticate-caller.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";

/**
 * Ends a token of the caller: an access token by itself, a refresh token with all that belong to the same sign-in. What
 * is unknown or over already needs nothing done. (RFC 7009 §2.1, §2.2)
 *
 * @throws IdentityError 70000 for an access token that was given to another client
 */
export async function revoke(services: IdentityServices, caller: Caller, token: string): Promise<void> {
  const judgement = await services.liveTokens.judge(token);
  if (typeof judgement === "object") {
    if (judgement.token.clientAppId !== caller.application.appId || judgement.tenant.id !== caller.tenant.id) {
      throw new IdentityError(70000);
    }
    await services.liveTokens.revoke(judgement.token);
  } else if (judgement === "malformed") {
    await revokeRefreshToken(services, caller, token);
  }
}

async function revokeRefreshToken(services: IdentityServices, caller: Caller, token: string): Promise<void> {
  try {
    const { family } = await services.refreshTokens.present(token, { appId: caller.application.appId });
    await services.refreshTokens.revokeFamily(family.id);
  } catch (error) {
    // Unknown, expired, revoked or another client's: the answer tells nothing about it.
    if (!(error instanceof IdentityError)) {
      throw error;
    }
  }
}
