import { type Application, type OptionalClaim, type Resource } from "../applications/application.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";

/** Above this a token names where the groups can be asked for instead. (reference §6.3, §12) */
const GROUP_LIMIT = 200;

/** What an access token says about a user by the will of the resource's manifest. */
export async function accessTokenUserClaims(
  services: IdentityServices,
  tenant: Tenant,
  resource: Resource,
  user: User,
): Promise<Readonly<Record<string, unknown>>> {
  const document = resource.registration?.document;
  return {
    ...(await roleClaims(services, tenant, user.id, resource)),
    ...(await groupClaims(services, resource.registration, user)),
    ...optionalClaims(document?.optionalClaims.accessToken ?? [], user),
  };
}

/** What an id token says about a user by the will of the client's manifest. */
export async function idTokenUserClaims(
  services: IdentityServices,
  tenant: Tenant,
  client: Application,
  user: User,
): Promise<Readonly<Record<string, unknown>>> {
  const { appRoles, optionalClaims: wanted } = client.document;
  return {
    ...(await roleClaims(services, tenant, user.id, { appId: client.appId, appRoles })),
    ...(await groupClaims(services, client, user)),
    ...optionalClaims(wanted.idToken, user),
  };
}

/** `roles` of a user or an application at a resource; absent when there are none. */
export async function roleClaims(
  services: IdentityServices,
  tenant: Tenant,
  principalId: string,
  resource: Pick<Resource, "appId" | "appRoles">,
): Promise<Readonly<Record<string, unknown>>> {
  if (resource.appRoles.length === 0) {
    return {};
  }
  const roles = await services.appRoleAssignments.rolesOf(tenant.id, principalId, resource);
  return roles.length === 0 ? {} : { roles };
}

async function groupClaims(
  services: IdentityServices,
  application: Application | undefined,
  user: User,
): Promise<Readonly<Record<string, unknown>>> {
  const wanted = application?.document.groupMembershipClaims ?? "None";
  if (wanted === "None" || wanted === "DirectoryRole") {
    return {};
  }
  const groups = await services.groups.groupsOf(user.id);
  if (groups.length <= GROUP_LIMIT) {
    return groups.length === 0 ? {} : { groups };
  }
  const endpoint = `${services.settings.publicUrl}/v1.0/users/${user.id}/getMemberObjects`;
  return { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint } } };
}

/** Optional claims that are served, by name; others are passed over. (reference §6.3, §6.4) */
const optional: Readonly<Record<string, (user: User) => string | undefined>> = {
  email: (user) => user.mail,
  family_name: (user) => user.surname,
  given_name: (user) => user.givenName,
  login_hint: (user) => user.userPrincipalName,
  preferred_username: (user) => user.userPrincipalName,
  upn: (user) => user.userPrincipalName,
};

function optionalClaims(wanted: readonly OptionalClaim[], user: User): Readonly<Record<string, unknown>> {
  const claims = wanted
    .filter(({ name }) => Object.hasOwn(optional, name))
    .map(({ name }) => [name, optional[name]?.(user)] as const);
  return Object.fromEntries(claims.filter(([, value]) => value !== undefined));
}
