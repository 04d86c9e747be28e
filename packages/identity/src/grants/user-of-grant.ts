import { IdentityError } from "../protocol/identity-error.ts";
import { type User } from "../users/user.ts";

/**
 * The user whose sign-in a code or refresh token goes on with.
 *
 * @throws IdentityError 50173 deleted, or what was signed in before a moment was ended; 50057 disabled (reference §8.2)
 */
export function getUserOfGrant(user: User | undefined, authenticatedAtMs: number): User {
  if (user === undefined || authenticatedAtMs < user.sessionsValidFromMs) {
    throw new IdentityError(50173);
  }
  if (!user.isEnabled) {
    throw new IdentityError(50057);
  }
  return user;
}
