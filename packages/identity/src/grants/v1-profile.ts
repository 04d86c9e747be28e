import { OPENID_SCOPES, RESOURCE, SCOPE } from "../protocol/parameters.ts";
import { type IssuedTokens } from "./grant.ts";
import { ALL_PERMISSIONS, type Target, type TokenProfile } from "./token-profile.ts";

/** `/oauth2/token`: the target is a `resource`, every number of the answer is a string. (identity §4.1, reference §5.1) */
export const v1Profile: TokenProfile = {
  version: 1,
  readApplicationTarget: (form) => target(form.get(RESOURCE), form.find(SCOPE)),
  readUserTarget: (form, isRequired) => target(isRequired ? form.get(RESOURCE) : form.find(RESOURCE), form.find(SCOPE)),
  parseScopes: (scope) => target(undefined, scope),
  parseTargets: (scope) => [target(undefined, scope)],
  // Old clients learn from the id token who signed in, and most never ask for it. (reference §4.3, §5.1)
  extras: () => ({ refreshToken: true, idToken: true }),
  render,
};

/** Scopes other than those of OpenID mean nothing here. */
function target(resourceName: string | undefined, scope: string | undefined): Target {
  const openIdScopes = new Set(scope?.split(" ").filter((name) => OPENID_SCOPES.has(name)));
  return {
    resourceName,
    permissions: ALL_PERMISSIONS,
    openIdScopes,
    scopeText: [...openIdScopes].join(" "),
  };
}

function render(issued: IssuedTokens): Readonly<Record<string, unknown>> {
  const lifetime = String(issued.times.expiresAtSeconds - issued.times.issuedAtSeconds - 1);
  return {
    token_type: "Bearer",
    scope: issued.scopes?.join(" "),
    expires_in: lifetime,
    ext_expires_in: lifetime,
    expires_on: String(issued.times.expiresAtSeconds),
    not_before: String(issued.times.notBeforeSeconds),
    resource: issued.resource.requestedAs,
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    id_token: issued.idToken,
    client_info: issued.clientInfo,
  };
}
