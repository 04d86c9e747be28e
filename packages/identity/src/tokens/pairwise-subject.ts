import { createHmac } from "node:crypto";
import { type Tenant } from "../tenants/tenant.ts";

/**
 * The `sub` of a user towards one application: stable, and different for every application so that two of them can't
 * compare notes. 43 characters of base64url. (reference §6.4)
 */
export function pairwiseSubject(tenant: Tenant, appId: string, userId: string): string {
  return createHmac("sha256", tenant.subjectKeyBytes).update(`sub ${appId} ${userId}`).digest("base64url");
}
