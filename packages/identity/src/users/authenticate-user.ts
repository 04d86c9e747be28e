import { IdentityError } from "../protocol/identity-error.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type FamiliarPlaces } from "./familiar-places.ts";
import { type Lockout } from "./lockout.ts";
import { type PasswordHashing } from "./password-hashing.ts";
import { type User } from "./user.ts";
import { type UserStore } from "./user-store.ts";

export interface UserContext {
  readonly users: UserStore;
  readonly passwords: PasswordHashing;
  readonly lockout: Lockout;
  readonly places: FamiliarPlaces;
}

/**
 * Checks a user name and password where nothing can be asked: a password that must be changed is none.
 *
 * @throws IdentityError as {@link checkPassword}, and 50055 password must be changed
 */
export async function authenticateUser(
  tenant: Tenant,
  userName: string,
  password: string,
  ipAddress: string | undefined,
  context: UserContext,
): Promise<User> {
  const user = await checkPassword(tenant, userName, password, ipAddress, context);
  if (user.mustChangePassword) {
    throw new IdentityError(50055);
  }
  return user;
}

/**
 * Checks a user name and password. Unknown user, wrong password and no password at all get one answer after one time;
 * what else is wrong with the account is told only to who knows the password.
 *
 * @param ipAddress  where the request comes from: failures are counted apart for places that the user has used

 * @throws IdentityError 50126 wrong, 50053 locked, 50057 disabled, 90033 too busy
 */
export async function checkPassword(
  tenant: Tenant,
  userName: string,
  password: string,
  ipAddress: string | undefined,
  context: UserContext,
): Promise<User> {
  const counter = await context.places.counterOf(tenant, userName, ipAddress);
  if (await context.lockout.isLocked(tenant, counter)) {
    throw new IdentityError(50053);
  }
  const user = await context.users.findByName(tenant.id, userName);
  const isRight = await context.passwords.verify(user?.passwordHash, password);
  if (user === undefined || !isRight) {
    await context.lockout.recordFailure(tenant, counter, password);
    throw new IdentityError(50126);
  }
  // Guesses sent all at once were all let in before the first was counted: the lock is looked at again.
  if (await context.lockout.isLocked(tenant, counter)) {
    throw new IdentityError(50053);
  }
  await context.lockout.reset(tenant, counter);
  await context.places.note(tenant, userName, ipAddress);
  if (!user.isEnabled) {
    throw new IdentityError(50057);
  }
  return user;
}
