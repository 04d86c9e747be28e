import { randomBytes, randomUUID } from "node:crypto";
import { type IdentityServices } from "../services.ts";
import { ADMINISTRATOR } from "../users/user.ts";

/** What a first start makes. The password is known nowhere else. */
export interface FirstTenant {
  readonly tenantId: string;
  readonly tenantDomain: string;
  readonly administrator: { readonly username: string; readonly password: string };
}

/** Reserved for local use: never somebody else's domain. */
const DOMAIN = "trefoil.internal";
const PASSWORD_BYTES = 18;

/** Whether there is nobody yet: neither a tenant nor, after a start that was cut short, a user in it. */
export async function needsFirstTenant(services: IdentityServices): Promise<boolean> {
  const [tenant] = await services.tenants.list();
  return tenant === undefined || (await services.users.list(tenant.id)).length === 0;
}

/**
 * Names and secrets of a first tenant, so that they can be written down before it is made. One that another process left
 * without anybody in it is gone on with.
 */
export async function planFirstTenant({ tenants }: IdentityServices): Promise<FirstTenant> {
  const [begun] = await tenants.list();
  const tenantDomain = begun?.defaultDomain ?? DOMAIN;
  return {
    tenantId: begun?.id ?? randomUUID(),
    tenantDomain,
    administrator: {
      username: `administrator@${tenantDomain}`,
      password: randomBytes(PASSWORD_BYTES).toString("base64url"),
    },
  };
}

/**
 * Makes the planned tenant and its administrator, who must change the password at the first sign-in. Repeating it after
 * a start that was cut short completes it. (design §2; rulings, Identity 14)
 */
export async function createFirstTenant(services: IdentityServices, plan: FirstTenant): Promise<void> {
  const tenant =
    (await services.tenants.find(plan.tenantId)) ??
    (await services.tenants.create({
      id: plan.tenantId,
      displayName: "Default directory",
      domain: plan.tenantDomain,
    }));
  await services.users.create(tenant, {
    userPrincipalName: plan.administrator.username,
    displayName: "Administrator",
    password: plan.administrator.password,
    mustChangePassword: true,
    roles: [ADMINISTRATOR],
  });
}
