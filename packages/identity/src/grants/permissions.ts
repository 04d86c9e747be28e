import { type Application, type PermissionScope, type Resource } from "../applications/application.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { whenKnown } from "../store/when-known.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { ALL_PERMISSIONS, type Target, type TokenProfile } from "./token-profile.ts";

/** What a resource is used by when it defines no permissions of its own. (reference §5.1) */
const USER_IMPERSONATION: PermissionScope = {
  id: "00000000-0000-0000-0000-000000000000",
  value: "user_impersonation",
  description: "Use it in your name",
  consentBy: "User",
  isEnabled: true,
};

/** A client that wants something at a resource in a user's name. */
export interface PermissionRequest {
  readonly tenant: Tenant;
  readonly client: Application;
  readonly user: User;
  readonly resource: Resource;
  readonly target: Target;
}

/** How far what is asked for is covered by consents. */
export interface PermissionState {
  /** What is asked for: by name, or everything there is to give. */
  readonly wanted: readonly PermissionScope[];
  readonly granted: readonly PermissionScope[];
  /** Not covered yet, but the user may. */
  readonly missing: readonly PermissionScope[];
  /** Not covered yet, and only an administrator may. With everything asked for, these are simply left out. */
  readonly missingForAdministrator: readonly PermissionScope[];
}

/** @throws IdentityError 70011 for a permission that the resource doesn't define */
export function judgePermissions(
  services: IdentityServices,
  request: PermissionRequest,
): PermissionState | Promise<PermissionState> {
  const { tenant, client, user, resource } = request;
  return whenKnown(
    services.permissionGrants.grantedScopes(tenant.id, client.id, resource.appId, user.id),
    (consented) => permissionState(request, consented),
  );
}

function permissionState(
  { client, resource, target }: PermissionRequest,
  consented: ReadonlySet<string>,
): PermissionState {
  const preAuthorized = preAuthorizedScopes(resource, client);
  const isOwn = client.appId === resource.appId;
  const wanted = wantedScopes(resource, target);
  const granted: PermissionScope[] = [];
  const missing: PermissionScope[] = [];
  const missingForAdministrator: PermissionScope[] = [];
  for (const scope of wanted) {
    if (isOwn || consented.has(scope.value) || preAuthorized.includes(scope.id)) {
      granted.push(scope);
    } else {
      (scope.consentBy === "User" ? missing : missingForAdministrator).push(scope);
    }
  }
  return { wanted, granted, missing, missingForAdministrator };
}

/** Where consent to what users may give comes from: stored before, or implied by the way of signing in. */
export type ConsentRule = "stored" | "implied";

/**
 * On v1 a client may name its resource only when it exchanges what the sign-in gave, too late to ask anybody: what users
 * may give is taken as given by the sign-in itself. (decisions/0023)
 */
export function consentRule({ version }: TokenProfile): ConsentRule {
  return version === 1 ? "implied" : "stored";
}

/** What a token is given. */
export interface DelegatedPermissions {
  /** The names that go into `scp`. */
  readonly scopes: readonly string[];
  /** Consented to by the way of signing in; to be stored, so that later requests of the sign-in find it. */
  readonly implied: readonly PermissionScope[];
}

/**
 * Decides what a token is given.
 *
 * @throws IdentityError 70011 for an unknown permission, 65001 for one that nobody consented to
 */
export function delegatedPermissions(
  services: IdentityServices,
  request: PermissionRequest,
  rule: ConsentRule,
): DelegatedPermissions | Promise<DelegatedPermissions> {
  return whenKnown(judgePermissions(services, request), (state) => givenPermissions(state, request, rule));
}

function givenPermissions(
  state: PermissionState,
  { target, client }: PermissionRequest,
  rule: ConsentRule,
): DelegatedPermissions {
  const implied = rule === "implied" ? state.missing : [];
  const missing = rule === "implied" ? [] : state.missing;
  const given = [...state.granted, ...implied];
  const refused = target.permissions === ALL_PERMISSIONS ? [] : [...missing, ...state.missingForAdministrator];
  const [first] = given.length === 0 ? [...state.missing, ...state.missingForAdministrator, ...refused] : refused;
  if (first !== undefined) {
    throw new IdentityError(65001, { scope: first.value, client: client.appId });
  }
  return { scopes: state.wanted.filter((scope) => given.includes(scope)).map((scope) => scope.value), implied };
}

/** Writes down that a user, or an administrator for everybody, agreed. */
export async function storeConsent(
  services: IdentityServices,
  {
    tenant,
    client,
    user,
    resource,
  }: Pick<PermissionRequest, "tenant" | "client" | "user"> & {
    readonly resource: { readonly appId: string; readonly registration?: { readonly id: string } | undefined };
  },
  scopes: readonly PermissionScope[],
  consentedBy: { readonly userId: string } | "everybody",
): Promise<void> {
  await services.permissionGrants.grant({
    tenantId: tenant.id,
    clientApplicationId: client.id,
    resource: { appId: resource.appId, applicationId: resource.registration?.id },
    consentedBy,
    scopes: scopes.map((scope) => scope.value),
  });
  await services.audit.append({
    category: "consent",
    activity: "Consent to application",
    outcome: "success",
    tenantId: tenant.id,
    actor: { kind: "user", id: user.id, name: user.userPrincipalName },
    target: { kind: "application", id: client.id, name: client.displayName },
    clientAppId: client.appId,
    resourceAppId: resource.appId,
    details: {
      scopes: scopes.map((scope) => scope.value),
      for: consentedBy === "everybody" ? "everybody" : "the user",
    },
  });
}

/**
 * What is asked for at a resource: by name, or everything there is to give.
 *
 * @throws IdentityError 70011 for a permission that the resource doesn't define
 */
export function wantedScopes(resource: Resource, target: Target): readonly PermissionScope[] {
  const enabled = resource.scopes.filter((scope) => scope.isEnabled);
  const defined = enabled.length === 0 ? [USER_IMPERSONATION] : enabled;
  if (target.permissions === ALL_PERMISSIONS) {
    return defined;
  }
  const named = target.permissions.map((name) => {
    const scope = defined.find((each) => each.value.toLowerCase() === name.toLowerCase());
    if (scope === undefined) {
      throw new IdentityError(70011, {
        scope: name,
        reason: `the resource '${resource.requestedAs}' does not have it`,
      });
    }
    return scope;
  });
  return [...new Set(named)];
}

function preAuthorizedScopes(resource: Resource, client: Application): readonly string[] {
  const entries = resource.registration?.document.preAuthorizedClients ?? [];
  return entries.filter((each) => each.appId === client.appId).flatMap((each) => each.scopeIds);
}
