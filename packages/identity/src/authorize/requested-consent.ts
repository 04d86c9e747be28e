import { type Application, type AppRole, type PermissionScope } from "../applications/application.ts";
import { getResource } from "../applications/resource.ts";
import { type AssignedResource, findAssignedResource } from "../assignments/assigned-resource.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { DEFAULT_SCOPE, OPENID_SCOPES } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";

/** What an application is to be given at one resource, for everybody in a tenant. */
export interface RequestedConsent {
  readonly resource: AssignedResource;
  readonly scopes: readonly PermissionScope[];
  /** Roles of the application itself, without a user. */
  readonly roles: readonly AppRole[];
}

/** The permissions that the registration lists, by resource; entries that nobody defines any more are left out. */
export async function registeredConsents(
  services: IdentityServices,
  tenant: Tenant,
  client: Application,
): Promise<readonly RequestedConsent[]> {
  const consents = await Promise.all(
    client.document.requiredResources.map(async ({ resourceAppId, access }) => {
      const resource = await findAssignedResource(services.applications, tenant.id, resourceAppId);
      const isListed =
        (type: "Scope" | "Role") =>
        (permission: { readonly id: string; readonly isEnabled: boolean }): boolean =>
          permission.isEnabled && access.some((each) => each.type === type && each.id === permission.id);
      return resource === undefined
        ? []
        : [
            {
              resource,
              scopes: resource.scopes.filter(isListed("Scope")),
              roles: resource.appRoles.filter(isListed("Role")).filter(isForApplications),
            },
          ];
    }),
  );
  return consents.flat().filter(({ scopes, roles }) => scopes.length > 0 || roles.length > 0);
}

/**
 * The permissions that a `scope` parameter names, of as many resources as it likes. `<resource>/.default` is what the
 * registration lists for the resource, or all its scopes when that is nothing. (reference §7.6)
 *
 * @throws IdentityError 500011 for an unknown resource, 70011 for an unknown permission
 */
export async function namedConsents(
  services: IdentityServices,
  tenant: Tenant,
  client: Application,
  scope: string,
): Promise<readonly RequestedConsent[]> {
  const names = scope.split(" ").filter((name) => name !== "" && !OPENID_SCOPES.has(name));
  const consents = new Map<string, RequestedConsent>();
  for (const name of names) {
    const named = await namedConsent(services, tenant, client, name);
    const before = consents.get(named.resource.appId);
    consents.set(named.resource.appId, {
      ...named,
      scopes: [...new Set([...(before?.scopes ?? []), ...named.scopes])],
      roles: [...new Set([...(before?.roles ?? []), ...named.roles])],
    });
  }
  return [...consents.values()];
}

async function namedConsent(
  services: IdentityServices,
  tenant: Tenant,
  client: Application,
  name: string,
): Promise<RequestedConsent> {
  const slash = name.lastIndexOf("/");
  const permission = name.slice(slash + 1);
  const { appId } = await getResource(services.applications, tenant, slash === -1 ? undefined : name.slice(0, slash));
  const resource = await findAssignedResource(services.applications, tenant.id, appId);
  if (resource === undefined) {
    throw new IdentityError(500011, { resource: name, tenant: tenant.displayName });
  }
  const enabled = resource.scopes.filter((each) => each.isEnabled);
  if (permission === DEFAULT_SCOPE) {
    const registered = await registeredConsents(services, tenant, client);
    return registered.find((each) => each.resource.appId === appId) ?? { resource, scopes: enabled, roles: [] };
  }
  const found = enabled.find((each) => each.value.toLowerCase() === permission.toLowerCase());
  if (found === undefined) {
    throw new IdentityError(70011, { scope: name, reason: "the resource does not have it" });
  }
  return { resource, scopes: [found], roles: [] };
}

/** For refusals: the names, or the one that stands for whatever is registered. */
export function namesOf(scopes: readonly PermissionScope[]): string {
  return scopes.length === 0 ? DEFAULT_SCOPE : scopes.map((scope) => scope.value).join(" ");
}

function isForApplications(role: AppRole): boolean {
  return role.allowedMemberTypes.includes("Application");
}
