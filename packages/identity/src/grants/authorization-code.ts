import { type RedeemedCode } from "../authorize/authorization-codes.ts";
import { type Application } from "../applications/application.ts";
import { isSameAddress } from "../authorize/find-reply-address.ts";
import { getResource } from "../applications/resource.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { CODE, CODE_VERIFIER, REDIRECT_URI } from "../protocol/parameters.ts";
import { newFamily } from "../tokens/refresh-token-store.ts";
import { readRequestedClaims } from "../tokens/requested-claims.ts";
import { type Grant, type GrantRequest } from "./grant.ts";
import { issueToUser } from "./issue-tokens.ts";
import { consentRule } from "./permissions.ts";
import { ALL_PERMISSIONS, joinScopes, type Target } from "./token-profile.ts";
import { getUserOfGrant } from "./user-of-grant.ts";

/** `authorization_code`: the client exchanges what the authorize endpoint gave it. (reference §4.3) */
export const authorizationCodeGrant: Grant = {
  names: ["authorization_code"],
  servesPages: true,
  findTenant: async ({ services, form, tenantChoice }) => {
    const code = form.get(CODE);
    if (tenantChoice.kind === "tenant") {
      return tenantChoice.tenant;
    }
    const tenantId = await services.authorizationCodes.findTenantId(code);
    const tenant = tenantId === undefined ? undefined : await services.tenants.find(tenantId);
    if (tenant === undefined) {
      throw new IdentityError(70000);
    }
    return tenant;
  },
  run: async (request, tenant, client) => {
    const { services, form } = request;
    const asked = request.profile.readUserTarget(form, false);
    checkOrigin(request, client.application);
    const code = form.get(CODE);
    const terms = await services.authorizationCodes.judge(code, {
      tenantId: tenant.id,
      appId: client.application.appId,
      redirectUri: form.find(REDIRECT_URI),
      codeVerifier: form.find(CODE_VERIFIER),
    });
    const isSinglePage = isSinglePageAddress(client.application, terms.redirectUri);
    const user = getUserOfGrant(await services.users.findById(tenant.id, terms.userId), terms.authenticatedAtMs);
    const target = mergeTargets(request, asked, terms);
    const resource = await getResource(services.applications, tenant, target.resourceName);
    return issueToUser(request, tenant, client, {
      user,
      family: newFamily({
        id: terms.familyId,
        tenantId: tenant.id,
        userId: user.id,
        appId: client.application.appId,
        methods: terms.methods,
        authenticatedAtMs: terms.authenticatedAtMs,
        endsAtMs: isSinglePage ? request.nowMs + SINGLE_PAGE_SIGN_IN_MS : undefined,
        sessionId: terms.sessionId,
        isSinglePage,
      }),
      isNewFamily: true,
      resource,
      target,
      consent: consentRule(request.profile),
      nonce: terms.nonce,
      requested: readRequestedClaims(terms.claims),
      isAuthTimeAsked: terms.isAuthTimeAsked,
      ipAddress: terms.ipAddress,
      // Last: a mistake in the request must not cost the client its code.
      useUp: () => services.authorizationCodes.use(code, terms),
    });
  },
};

/** How long a single-page application goes on without a new sign-in. (reference §5.3) */
const SINGLE_PAGE_SIGN_IN_MS = 24 * 3_600_000;

/**
 * Codes that went to a page are redeemed by a page, others never: an `Origin` header tells which it is. Judged by the
 * reply address that the client says, which the code is then compared with. (reference §4.3)
 */
function checkOrigin({ form, origin }: GrantRequest, application: Application): void {
  const redirectUri = form.find(REDIRECT_URI) ?? application.document.redirectUris[0]?.uri;
  const isSinglePage = redirectUri !== undefined && isSinglePageAddress(application, redirectUri);
  if (isSinglePage !== (origin !== undefined)) {
    throw new IdentityError(isSinglePage ? 9002327 : 9002326);
  }
}

function isSinglePageAddress(application: Application, redirectUri: string): boolean {
  return application.document.redirectUris.some((each) => each.type === "spa" && isSameAddress(each.uri, redirectUri));
}

/**
 * What the redemption asks for counts before what the authorize request did, but a resource named in both must be the
 * same. OpenID scopes of both count: MSAL for Go and for Java name them in the redemption alone, and keep neither account
 * nor refresh token without. (reference §4.3)
 */
function mergeTargets(request: GrantRequest, asked: Target, terms: RedeemedCode): Target {
  const consented = request.profile.parseTargets(terms.scope);
  const [first] = consented;
  const resourcesBefore = consented.map(({ resourceName }) => resourceName ?? terms.resource);
  const [resourceBefore] = resourcesBefore;
  const openIdScopes = new Set([...first.openIdScopes, ...asked.openIdScopes]);
  if (asked.resourceName === undefined && asked.permissions === ALL_PERMISSIONS) {
    return { ...first, resourceName: resourceBefore, openIdScopes, scopeText: joinScopes(first.scopeText, asked) };
  }
  if (
    resourceBefore !== undefined &&
    asked.resourceName !== undefined &&
    !resourcesBefore.includes(asked.resourceName)
  ) {
    throw new IdentityError(70000, {}, { detail: "the resource is none of the authorize request" });
  }
  return { ...asked, openIdScopes, scopeText: joinScopes(asked.scopeText, first) };
}
