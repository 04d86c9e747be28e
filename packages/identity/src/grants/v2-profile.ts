import { type FormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { DEFAULT_SCOPE, OFFLINE_ACCESS, OPENID, OPENID_SCOPES, RESOURCE, SCOPE } from "../protocol/parameters.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import { type IssuedTokens } from "./grant.ts";
import { ALL_PERMISSIONS, type Target, type TokenProfile } from "./token-profile.ts";

/** `/oauth2/v2.0/token`: the target is inside `scope`, numbers of the answer are numbers. (reference §5.2) */
export const v2Profile: TokenProfile = {
  version: 2,
  readApplicationTarget: (form) => {
    refuseResource(form);
    return readApplicationScope(form.get(SCOPE));
  },
  readUserTarget: (form, isRequired) => {
    refuseResource(form);
    return readUserScope((isRequired ? form.get(SCOPE) : form.find(SCOPE)) ?? "");
  },
  parseScopes: readUserScope,
  parseTargets: readTargets,
  extras: ({ openIdScopes }) => ({
    refreshToken: openIdScopes.has(OFFLINE_ACCESS),
    idToken: openIdScopes.has(OPENID),
  }),
  render,
};

/** One scope of a resource: `<resource>/<permission>`, or a permission of the built-in directory. */
interface ResourceScope {
  readonly resourceName: string | undefined;
  readonly permission: string;
}

function refuseResource(form: FormBody): void {
  if (form.find(RESOURCE) !== undefined) {
    throw new IdentityError(901002);
  }
}

function splitScopes(scope: string): readonly string[] {
  return scope.split(" ").filter((name) => name !== "");
}

/** The resource may itself end in a slash: `https://api.example//.default` is `https://api.example/`. */
function resourceScope(name: string): ResourceScope {
  const slash = name.lastIndexOf("/");
  return slash === -1
    ? { resourceName: undefined, permission: name }
    : { resourceName: name.slice(0, slash), permission: name.slice(slash + 1) };
}

/** Exactly one `/.default`; scopes of OpenID that clients add out of habit are passed over. (reference §4.2) */
function readApplicationScope(scope: string): Target {
  const names = new Set(splitScopes(scope).filter((name) => !OPENID_SCOPES.has(name)));
  const [name, ...more] = names;
  if (more.length > 0) {
    throw new IdentityError(70011, { scope, reason: "a request without a user is for one resource" });
  }
  const { resourceName, permission } = resourceScope(name ?? "");
  if (resourceName === undefined || permission !== DEFAULT_SCOPE) {
    throw new IdentityError(1002012, { scope });
  }
  return { resourceName, permissions: ALL_PERMISSIONS, openIdScopes: new Set(), scopeText: scope };
}

/** One target for each resource named; all of them with the OpenID scopes. (reference §7.1) */
function readTargets(scope: string): readonly [Target, ...Target[]] {
  const names = splitScopes(scope);
  const openIdNames = names.filter((name) => OPENID_SCOPES.has(name));
  const byResource = new Map<string | undefined, string[]>();
  for (const name of names.filter((each) => !OPENID_SCOPES.has(each))) {
    const { resourceName } = resourceScope(name);
    byResource.set(resourceName, [...(byResource.get(resourceName) ?? []), name]);
  }
  const [first = [], ...more] = byResource.values();
  const read = (own: readonly string[]): Target => {
    const kept = new Set([...own, ...openIdNames]);
    return readUserScope(names.filter((name) => kept.has(name)).join(" "));
  };
  return [read(first), ...more.map(read)];
}

/** What applications ask for is much the same; texts beyond this length are read each time. */
const REMEMBERED_LENGTH = 500;
const REMEMBERED = 500;
const knownScopes = new BoundedMap<Target>(REMEMBERED);

function readUserScope(scope: string): Target {
  const known = knownScopes.get(scope);
  if (known !== undefined) {
    return known;
  }
  const target = parseUserScope(scope);
  if (scope.length <= REMEMBERED_LENGTH) {
    knownScopes.set(scope, target);
  }
  return target;
}

function parseUserScope(scope: string): Target {
  const names = splitScopes(scope);
  const openIdScopes = new Set(names.filter((name) => OPENID_SCOPES.has(name)));
  const scopes = names.filter((name) => !OPENID_SCOPES.has(name)).map(resourceScope);
  const resources = new Set(scopes.map((each) => each.resourceName));
  if (resources.size > 1) {
    throw new IdentityError(70011, { scope, reason: "a token is for one resource" });
  }
  const permissions = scopes.map((each) => each.permission);
  const isDefault = permissions.includes(DEFAULT_SCOPE);
  if (isDefault && permissions.length > 1) {
    throw new IdentityError(70011, { scope, reason: "/.default stands alone" });
  }
  return {
    resourceName: scopes[0]?.resourceName,
    permissions: isDefault || scopes.length === 0 ? ALL_PERMISSIONS : permissions,
    openIdScopes,
    scopeText: names.join(" "),
  };
}

function render(issued: IssuedTokens): Readonly<Record<string, unknown>> {
  const lifetime = issued.times.expiresAtSeconds - issued.times.issuedAtSeconds - 1;
  return {
    token_type: "Bearer",
    scope: issued.scopes === undefined ? undefined : grantedScopeText(issued),
    expires_in: lifetime,
    ext_expires_in: lifetime,
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    id_token: issued.idToken,
    client_info: issued.clientInfo,
  };
}

/**
 * The caller's own spelling, because clients keep tokens under the scopes of the answer and look them up under those
 * they asked for; behind `/.default`, or nothing (grants of the v1 endpoint), also what it stood for.
 */
function grantedScopeText(issued: IssuedTokens): string {
  const asked = splitScopes(issued.scopeText);
  const isDefault = asked.length === 0 || asked.some((name) => resourceScope(name).permission === DEFAULT_SCOPE);
  const standsFor = isDefault ? (issued.scopes ?? []).map((name) => `${issued.resource.requestedAs}/${name}`) : [];
  return [...asked, ...standsFor].join(" ");
}
