import { type TokenVersion } from "../tokens/compact-jws.ts";
import { nameClaims } from "../tokens/access-token.ts";
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
  const common = {
    sub: pairwiseSubject(tenant, token.clientAppId, user.id),
    name: user.displayName,
    ...nameClaims(user),
    ...(user.mail === undefined ? {} : { email: user.mail }),
  };
  return version === 2
    ? { ...common, preferred_username: user.userPrincipalName }
    : {
        ...common,
        oid: user.id,
        tid: tenant.id,
        unique_name: user.userPrincipalName,
        upn: user.userPrincipalName,
      };
}
