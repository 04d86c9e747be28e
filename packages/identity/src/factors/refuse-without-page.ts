import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { type User } from "../users/user.ts";

/** Sent back as the `claims` of an authorize request it does no harm: signing in asks for the factor anyway. */
const CLAIMS = JSON.stringify({ access_token: { amr: { values: ["mfa"] } } });

/**
 * Where nobody can be asked for a code, whoever needs one is sent to the browser. v1 has a word of its own for it.
 *
 * @throws IdentityError 50076 the user has a second factor, 50079 he must set one up
 * @source reference §4.1
 */
export async function refuseWithoutPage(
  services: IdentityServices,
  tenant: Tenant,
  user: User,
  version: TokenVersion,
): Promise<void> {
  const hasFactor = await services.factors.has(user);
  if (hasFactor || tenant.requiresSecondFactor) {
    const word = version === 1 ? "interaction_required" : undefined;
    throw new IdentityError(hasFactor ? 50076 : 50079, {}, { word, claims: CLAIMS });
  }
}
