import { IdentityError } from "../protocol/identity-error.ts";
import { COMMON, CONSUMERS, ORGANIZATIONS } from "../protocol/parameters.ts";
import { whenKnown } from "../store/when-known.ts";
import { type Tenant } from "./tenant.ts";
import { type TenantStore } from "./tenant-store.ts";

/** What the tenant segment of an address names: one tenant, or whichever tenant the request turns out to be about. */
export type TenantChoice =
  | { readonly kind: "tenant"; readonly tenant: Tenant; readonly segment: string }
  | { readonly kind: "any"; readonly segment: typeof COMMON | typeof ORGANIZATIONS | typeof CONSUMERS };

/** @throws IdentityError 90002 for a segment that names no tenant of ours */
export function resolveTenant(tenants: TenantStore, segment: string): TenantChoice | Promise<TenantChoice> {
  const word = segment.toLowerCase();
  if (word === COMMON || word === ORGANIZATIONS || word === CONSUMERS) {
    return { kind: "any", segment: word };
  }
  return whenKnown<Tenant | undefined, TenantChoice>(tenants.find(word), (tenant) => {
    if (tenant === undefined) {
      throw new IdentityError(90002, { tenant: segment });
    }
    return { kind: "tenant", tenant, segment };
  });
}
