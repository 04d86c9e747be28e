import { type ApprovedDevice } from "../device/device-code-store.ts";
import { getResource } from "../applications/resource.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { CODE, DEVICE_CODE } from "../protocol/parameters.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { newFamily } from "../tokens/refresh-token-store.ts";
import { readRequestedClaims } from "../tokens/requested-claims.ts";
import { type Grant, type GrantRequest } from "./grant.ts";
import { issueToUser } from "./issue-tokens.ts";
import { consentRule } from "./permissions.ts";
import { type Target } from "./token-profile.ts";
import { getUserOfGrant } from "./user-of-grant.ts";

/**
 * The device grant in all spellings that clients use: the short and the long grant type, the code as `device_code` or
 * (v1) as `code`. (reference §0.1.7, §4.5)
 */
export const deviceCodeGrant: Grant = {
  names: ["device_code", "urn:ietf:params:oauth:grant-type:device_code"],
  findTenant: async ({ services, form, tenantChoice, evidence }) => {
    const deviceCode = readDeviceCode(form);
    if (tenantChoice.kind === "tenant") {
      return tenantChoice.tenant;
    }
    const tenantId = await services.deviceCodes.findUserTenantId(deviceCode, evidence.clientId.toLowerCase());
    const tenant = await services.tenants.find(tenantId);
    if (tenant === undefined) {
      throw new IdentityError(70018);
    }
    return tenant;
  },
  run: async (request, tenant, client) => {
    const { services } = request;
    const device = await services.deviceCodes.redeem(readDeviceCode(request.form), client.application.appId);
    if (device.userTenantId !== tenant.id) {
      throw new IdentityError(700005);
    }
    const user = getUserOfGrant(await services.users.findById(tenant.id, device.userId), device.authenticatedAtMs);
    const target = targetOf(request, device);
    const resource = await getResource(services.applications, tenant, target.resourceName);
    return issueToUser(request, tenant, client, {
      user,
      family: newFamily({
        tenantId: tenant.id,
        userId: user.id,
        appId: client.application.appId,
        methods: device.methods,
        authenticatedAtMs: device.authenticatedAtMs,
      }),
      isNewFamily: true,
      resource,
      target,
      consent: consentRule(request.profile),
      requested: readRequestedClaims(device.claims),
    });
  },
};

function readDeviceCode(form: FormBody): string {
  return form.find(DEVICE_CODE) ?? form.find(CODE) ?? form.get(DEVICE_CODE);
}

/** What the device asked for at first; nothing is added when it polls. */
function targetOf(request: GrantRequest, device: ApprovedDevice): Target {
  const target = request.profile.parseScopes(device.scope);
  return { ...target, resourceName: target.resourceName ?? device.resource };
}
