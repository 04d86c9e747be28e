import { type TokenVersion } from "./compact-jws.ts";

/** What stands for the tenant in the documents of `common`: clients put the token's `tid` in its place. */
export const TENANT_PLACEHOLDER = "{tenantid}";

/**
 * The issuer of a tenant's tokens: all under one origin, v1 with a final slash. (rulings, Identity; reference §0.1.3)
 *
 * @param publicUrl  origin without a final slash
 */
export function issuerOf(publicUrl: string, tenantId: string, version: TokenVersion): string {
  return version === 1 ? `${publicUrl}/${tenantId}/` : `${publicUrl}/${tenantId}/v2.0`;
}
