import { type Application } from "../applications/application.ts";
import { type IdentityServices } from "../services.ts";
import { whenKnown } from "../store/when-known.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type TokenTimes } from "./access-token.ts";

/** Resource servers whose clocks are a little slow must not refuse a fresh token. (reference §5.3) */
const NOT_BEFORE_ALLOWANCE_SECONDS = 300;

/**
 * When a token that is made now is valid.
 *
 * @param audience  whom it is for, whose policy counts; undefined for the built-in directory
 */
export function tokenTimes(
  { settings, tokenLifetimes }: Pick<IdentityServices, "settings" | "tokenLifetimes">,
  tenant: Tenant,
  audience: Application | undefined,
  nowMs: number,
): TokenTimes | Promise<TokenTimes> {
  return whenKnown(tokenLifetimes.of(tenant.id, audience), ({ accessTokenSeconds = settings.accessTokenSeconds }) => {
    const issuedAtSeconds = Math.floor(nowMs / 1000);
    return {
      issuedAtSeconds,
      notBeforeSeconds: issuedAtSeconds - NOT_BEFORE_ALLOWANCE_SECONDS,
      expiresAtSeconds: issuedAtSeconds + accessTokenSeconds,
    };
  });
}
