import { type TokenVersion } from "../tokens/compact-jws.ts";
import { pairwiseSubject } from "../tokens/pairwise-subject.ts";
import { type LiveToken } from "../revocation/live-tokens.ts";
import { type User } from "../users/user.ts";

/**
 * What a client may know of the user whose token it has. `sub` is the one of the id token: the user towards the calling
 * client, whatever resource the token is for. (rulings, Identity 7; reference §9.7)
 */
export function userInfo(
  { token, tenant }: LiveToken,
  user: User,
  version: TokenVersion,
): Readonly<Record<string, unknown>> {
  const isV1 = version === 1;
  // Members that are undefined don't reach the JSON.
  return {
    sub: pairwiseSubject(tenant, token.clientAppId, user.id),
    name: user.displayName,
    given_name: user.givenName,
    family_name: user.surname,
    email: user.mail,
    preferred_username: isV1 ? undefined : user.userPrincipalName,
    oid: isV1 ? user.id : undefined,
    tid: isV1 ? tenant.id : undefined,
    unique_name: isV1 ? user.userPrincipalName : undefined,
    upn: isV1 ? user.userPrincipalName : undefined,
  };
}
