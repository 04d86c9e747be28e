import {
  type Application,
  type GroupMembershipClaims,
  type OptionalClaim,
  type Resource,
} from "../applications/application.ts";
import { roleTemplateIds } from "../assignments/directory-role.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { AUTHENTICATION_CLASS, type ClaimRequest, type RequestedClaims } from "./requested-claims.ts";

/** Above this a token names where the groups can be asked for instead. (reference §6.3, §12) */
const GROUP_LIMIT = 200;
/** Above this a token in an address only says that there are groups. (reference §6.3) */
const FRONT_CHANNEL_GROUP_LIMIT = 6;

/** What claims about a user and his sign-in are made from. */
export interface ClaimSources {
  readonly user: User;
  /** Methods of the sign-in: `pwd`, `mfa`, … */
  readonly methods: readonly string[];
  readonly authenticatedAtMs: number;
  /** The browser session, as clients know it; undefined when there is none. */
  readonly sessionId: string | undefined;
  /** Where the user sat. */
  readonly ipAddress: string | undefined;
  /** What the client asked for beyond its manifest. */
  readonly requested: RequestedClaims;
}

type Claims = Readonly<Record<string, unknown>>;

const NONE: Claims = {};

/** What an access token says about a user by the will of the resource's manifest. */
export function accessTokenUserClaims(
  services: IdentityServices,
  tenant: Tenant,
  resource: Resource,
  sources: ClaimSources,
): Claims | Promise<Claims> {
  const wanted = resource.registration?.document.optionalClaims.accessToken ?? [];
  return joined([
    roleClaims(services, tenant, sources.user.id, resource),
    groupClaims(services, resource.registration, sources.user, GROUP_LIMIT),
    optionalClaims(namesOf(wanted), sources),
    capabilityClaims(wanted, sources.requested),
  ]);
}

/** What an access token says about an application that acts for itself. */
export function applicationTokenClaims(
  services: IdentityServices,
  tenant: Tenant,
  servicePrincipalId: string,
  resource: Resource,
  requested: RequestedClaims,
): Claims | Promise<Claims> {
  return joined([
    roleClaims(services, tenant, servicePrincipalId, resource),
    capabilityClaims(resource.registration?.document.optionalClaims.accessToken ?? [], requested),
  ]);
}

/** What an id token says about a user by the will of the client's manifest, or of its request. */
export function idTokenUserClaims(
  services: IdentityServices,
  tenant: Tenant,
  client: Application,
  sources: ClaimSources,
  isFrontChannel: boolean,
): Claims | Promise<Claims> {
  const { appRoles, optionalClaims: wanted } = client.document;
  const { idToken: requested } = sources.requested;
  const limit = isFrontChannel ? FRONT_CHANNEL_GROUP_LIMIT : GROUP_LIMIT;
  return joined([
    roleClaims(services, tenant, sources.user.id, { appId: client.appId, appRoles }),
    groupClaims(services, client, sources.user, limit),
    optionalClaims(namesOf(wanted.idToken), sources),
    optionalClaims(requested.keys(), sources),
    requested.has("name") ? { name: sources.user.displayName } : NONE,
    requested.has("acr") ? { acr: AUTHENTICATION_CLASS } : NONE,
  ]);
}

/** Most tokens say nothing of all this: then nothing is copied, and nobody waits. */
function joined(parts: readonly (Claims | Promise<Claims>)[]): Claims | Promise<Claims> {
  return parts.every((part) => part === NONE)
    ? NONE
    : Promise.all(parts.map((part) => Promise.resolve(part))).then((claims) => Object.assign({}, ...claims) as Claims);
}

/** `roles` of a user or an application at a resource; absent when there are none. */
function roleClaims(
  services: IdentityServices,
  tenant: Tenant,
  principalId: string,
  resource: Pick<Resource, "appId" | "appRoles">,
): Claims | Promise<Claims> {
  return resource.appRoles.length === 0
    ? NONE
    : services.appRoleAssignments
        .rolesOf(tenant.id, principalId, resource)
        .then((roles) => (roles.length === 0 ? {} : { roles }));
}

/** `groups` and `wids`, as far as the manifest's word goes: mostly none. (reference §6.3) */
function groupClaims(
  services: IdentityServices,
  application: Application | undefined,
  user: User,
  limit: number,
): Claims | Promise<Claims> {
  const wanted = application?.document.groupMembershipClaims ?? "None";
  return wanted === "None" ? NONE : wantedGroupClaims(services, wanted, user, limit);
}

async function wantedGroupClaims(
  services: IdentityServices,
  wanted: Exclude<GroupMembershipClaims, "None">,
  user: User,
  limit: number,
): Promise<Claims> {
  const wantsRoles = wanted === "DirectoryRole" || wanted === "All";
  const wantsGroups = wanted !== "DirectoryRole";
  const roles = wantsRoles ? roleTemplateIds(await services.directoryRoles.rolesOf(user.tenantId, user.id)) : [];
  return {
    ...(roles.length === 0 ? {} : { wids: roles }),
    ...(wantsGroups ? await membershipClaims(services, user, limit) : {}),
  };
}

async function membershipClaims(services: IdentityServices, user: User, limit: number): Promise<Claims> {
  const groups = await services.groups.groupsOf(user.id);
  if (groups.length <= limit) {
    return groups.length === 0 ? {} : { groups };
  }
  if (limit === FRONT_CHANNEL_GROUP_LIMIT) {
    return { hasgroups: true };
  }
  const endpoint = `${services.settings.publicUrl}/v1.0/users/${user.id}/getMemberObjects`;
  return { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint } } };
}

/** Claims that are issued only when asked for, by name; others are passed over. (reference §6.3, §6.4) */
const optional: Readonly<Record<string, (sources: ClaimSources) => unknown>> = {
  // Who is a member of the tenant; there are no guests.
  acct: () => 0,
  auth_time: ({ authenticatedAtMs }) => Math.floor(authenticatedAtMs / 1000),
  email: ({ user }) => user.mail,
  family_name: ({ user }) => user.surname,
  given_name: ({ user }) => user.givenName,
  idtyp: () => "user",
  ipaddr: ({ ipAddress }) => ipAddress,
  login_hint: ({ user }) => user.userPrincipalName,
  preferred_username: ({ user }) => user.userPrincipalName,
  sid: ({ sessionId }) => sessionId,
  upn: ({ user }) => user.userPrincipalName,
};

function optionalClaims(names: Iterable<string>, sources: ClaimSources): Claims {
  let claims: Record<string, unknown> | undefined;
  for (const name of names) {
    const value = Object.hasOwn(optional, name) ? optional[name]?.(sources) : undefined;
    if (value !== undefined) {
      claims ??= {};
      claims[name] = value;
    }
  }
  return claims ?? NONE;
}

function namesOf(claims: readonly OptionalClaim[]): readonly string[] {
  return claims.map(({ name }) => name);
}

const CAPABILITIES = "xms_cc";

/** What the client says it can do, for resources that want to know. (reference §6.3) */
function capabilityClaims(wanted: readonly OptionalClaim[], { accessToken }: RequestedClaims): Claims {
  const request: ClaimRequest | undefined = accessToken.get(CAPABILITIES);
  const values = request?.values?.filter((value) => typeof value === "string") ?? [];
  return values.length > 0 && wanted.some(({ name }) => name === CAPABILITIES) ? { [CAPABILITIES]: values } : NONE;
}
