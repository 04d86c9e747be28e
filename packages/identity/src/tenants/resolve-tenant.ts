import { IdentityError } from "../protocol/identity-error.ts";
import { COMMON, CONSUMERS, ORGANIZATIONS } from "../protocol/parameters.ts";
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
  const found = tenants.find(word);
  return found instanceof Promise ? found.then((tenant) => choiceOf(tenant, segment)) : choiceOf(found, segment);
}

function choiceOf(tenant: Tenant | undefined, segment: string): TenantChoice {
  if (tenant === undefined) {
    throw new IdentityError(90002, { tenant: segment });
  }
  return { kind: "tenant", tenant, segment };
}
