import { type TenantStore } from "../tenants/tenant-store.ts";

/**
 * How users of a name's domain sign in: with us, or not known. Decided by the domain alone, so that it tells nothing
 * about users. (reference §9.5)
 */
export async function userRealm(tenants: TenantStore, userName: string): Promise<Readonly<Record<string, string>>> {
  const domain = userName.slice(userName.lastIndexOf("@") + 1).toLowerCase();
  const isOurs = userName.includes("@") && (await tenants.find(domain))?.domains.includes(domain) === true;
  return isOurs
    ? {
        ver: "1.0",
        account_type: "Managed",
        domain_name: domain,
        cloud_instance_name: "trefoil",
        cloud_audience_urn: "urn:federation:MicrosoftOnline",
      }
    : { ver: "1.0", account_type: "Unknown" };
}
