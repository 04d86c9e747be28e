import { type AuthenticatedClient, isPage } from "../applications/authenticate-client.ts";
import { rotatesRefreshTokens } from "../applications/refresh-token-rotation.ts";
import { getResource } from "../applications/resource.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { OFFLINE_ACCESS, REFRESH_TOKEN } from "../protocol/parameters.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type PresentedRefreshToken } from "../tokens/refresh-token-store.ts";
import { type User } from "../users/user.ts";
import { type Grant, type GrantRequest, type IssuedTokens } from "./grant.ts";
import { issueToUser } from "./issue-tokens.ts";
import { consentRule } from "./permissions.ts";
import { joinScopes, type Target } from "./token-profile.ts";
import { getUserOfGrant } from "./user-of-grant.ts";

/**
 * `refresh_token`: the client goes on with a sign-in, for the same resource or another one. (rulings, Identity 3;
 * reference §4.4)
 */
export const refreshTokenGrant: Grant = {
  names: ["refresh_token"],
  servesPages: true,
  findTenant: async ({ services, form, tenantChoice }) => {
    if (tenantChoice.kind === "tenant") {
      return tenantChoice.tenant;
    }
    const tenantId = await services.refreshTokens.findTenantId(form.get(REFRESH_TOKEN));
    const tenant = tenantId === undefined ? undefined : await services.tenants.find(tenantId);
    if (tenant === undefined) {
      throw new IdentityError(70000);
    }
    return tenant;
  },
  run: async (request, tenant, client) => {
    try {
      return await exchange(request, tenant, client);
    } catch (error) {
      // The answer waits for the next token's commit, and with it for all that was read; a refusal stores nothing.
      await request.services.refreshTokens.whenOnDisk();
      throw error;
    }
  },
};

async function exchange(request: GrantRequest, tenant: Tenant, client: AuthenticatedClient): Promise<IssuedTokens> {
  const { services, form } = request;
  const token = form.get(REFRESH_TOKEN);
  const asked = request.profile.readUserTarget(form, false);
  const presented = await services.refreshTokens.present(token, {
    appId: client.application.appId,
    isPage: isPage(client),
    isAhead: true,
  });
  const user = getUser(tenant, presented);
  const target = mergeTargets(request, asked, presented);
  const resource = await getResource(services.applications, tenant, target.resourceName);
  return await issueToUser(request, tenant, client, {
    user,
    family: presented.family,
    isNewFamily: false,
    resource,
    target,
    consent: consentRule(request.profile),
    usedUpToken: rotatesRefreshTokens(client) ? token : undefined,
  });
}

function getUser(tenant: Tenant, { family, user }: PresentedRefreshToken): User {
  if (family.tenantId !== tenant.id) {
    throw new IdentityError(70000);
  }
  return getUserOfGrant(user, family.authenticatedAtMs);
}

/**
 * What isn't asked for anew stays as it was. Whoever came with a refresh token goes on getting one, and OpenID scopes
 * once given count for the whole sign-in.
 */
function mergeTargets(request: GrantRequest, asked: Target, presented: PresentedRefreshToken): Target {
  const before = request.profile.parseScopes(presented.scope);
  const openIdScopes = new Set([...before.openIdScopes, ...asked.openIdScopes, OFFLINE_ACCESS]);
  if (asked.resourceName === undefined && asked.permissions === "all") {
    const scopeText = joinScopes(before.scopeText, asked);
    return { ...before, resourceName: before.resourceName ?? presented.resource, openIdScopes, scopeText };
  }
  return { ...asked, openIdScopes, scopeText: joinScopes(asked.scopeText, before) };
}
