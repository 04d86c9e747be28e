import { createHmac } from "node:crypto";
import { BoundedMap } from "../store/bounded-map.ts";
import { type Tenant } from "../tenants/tenant.ts";

const REMEMBERED = 5_000;
/** They never change, and every token of a user has one or two. */
const subjects = new BoundedMap<string>(REMEMBERED);

/**
 * The `sub` of a user towards one application: stable, and different for every application so that two of them can't
 * compare notes. 43 characters of base64url. (reference §6.4)
 */
export function pairwiseSubject(tenant: Tenant, appId: string, userId: string): string {
  const name = `${tenant.id} ${appId} ${userId}`;
  const known = subjects.get(name);
  if (known !== undefined) {
    return known;
  }
  const subject = createHmac("sha256", tenant.subjectKeyBytes).update(`sub ${appId} ${userId}`).digest("base64url");
  subjects.set(name, subject);
  return subject;
}
