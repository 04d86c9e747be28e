import { type PublishedKey } from "../signing-keys/signing-key.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { issuerOf, TENANT_PLACEHOLDER } from "../tokens/issuer.ts";

/** The JSON Web Key Set; v2 entries say which issuer they sign for. (reference §9.2) */
export function keySet(
  publicUrl: string,
  choice: TenantChoice,
  version: TokenVersion,
  keys: readonly PublishedKey[],
): { readonly keys: readonly object[] } {
  const tenantId = choice.kind === "tenant" ? choice.tenant.id : TENANT_PLACEHOLDER;
  const issuer = version === 2 ? { issuer: issuerOf(publicUrl, tenantId, 2) } : {};
  return { keys: keys.map((key) => ({ ...key, ...issuer })) };
}
