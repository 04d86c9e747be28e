import { type Application, type PermissionScope } from "../applications/application.ts";
import { getResource } from "../applications/resource.ts";
import { type AssignedResource, findAssignedResource } from "../assignments/assigned-resource.ts";
import { judgePermissions, type PermissionRequest, storeConsent } from "../grants/permissions.ts";
import { ALL_PERMISSIONS, type Target } from "../grants/token-profile.ts";
import { type IdentityServices } from "../services.ts";
import { type AuthorizeRequest } from "./authorize-request.ts";
import { registeredConsents } from "./requested-consent.ts";

/** A consent that is asked for beside the one the request is about. */
export interface FurtherConsent {
  /** Who is given it: the client itself, or the service that it calls. */
  readonly client: Application;
  readonly resource: AssignedResource;
  readonly scopes: readonly PermissionScope[];
}

/**
 * What else the one dialogue covers: scopes of further resources that the request names; with `prompt=admin_consent` everything that the client's registration lists, and
 * for a client that its service knows, what the service itself needs of others, since nobody sees a page of the
 * service's. Only what is not agreed to yet; what only an administrator may give is left out for everybody else.
 *
 * @source reference §4.6, §7.1 (`knownClientApplications`)
 */
export async function furtherConsents(
  services: IdentityServices,
  request: PermissionRequest,
  { prompts, furtherTargets }: Pick<AuthorizeRequest, "prompts" | "furtherTargets">,
  isAdministrator: boolean,
): Promise<readonly FurtherConsent[]> {
  const { client, resource, target } = request;
  const service = resource.registration;
  const isKnown =
    target.permissions === ALL_PERMISSIONS && service?.document.knownClientAppIds.includes(client.appId) === true;
  const receivers = [...(prompts.has("admin_consent") ? [client] : []), ...(isKnown ? [service] : [])];
  const consents = await Promise.all([
    ...furtherTargets.map((each) => missingAt(services, request, each)),
    ...receivers.map((receiver) => missingOf(services, request, receiver)),
  ]);
  return consents
    .flat()
    .map((consent) => ({
      ...consent,
      scopes: consent.scopes.filter((scope) => isAdministrator || scope.consentBy === "User"),
    }))
    .filter(({ scopes }) => scopes.length > 0);
}

/** What the request names at another resource. */
async function missingAt(
  services: IdentityServices,
  request: PermissionRequest,
  target: Target,
): Promise<readonly FurtherConsent[]> {
  const { tenant, client } = request;
  const resource = await getResource(services.applications, tenant, target.resourceName);
  const assigned = await findAssignedResource(services.applications, tenant.id, resource.appId);
  const { missing, missingForAdministrator } = await judgePermissions(services, { ...request, resource, target });
  return assigned === undefined
    ? []
    : [{ client, resource: assigned, scopes: [...missing, ...missingForAdministrator] }];
}

async function missingOf(
  services: IdentityServices,
  { tenant, user }: PermissionRequest,
  client: Application,
): Promise<readonly FurtherConsent[]> {
  const registered = await registeredConsents(services, tenant, client);
  return Promise.all(
    registered.map(async ({ resource, scopes }) => {
      const granted = await services.permissionGrants.grantedScopes(tenant.id, client.id, resource.appId, user.id);
      return { client, resource, scopes: scopes.filter((scope) => !granted.has(scope.value)) };
    }),
  );
}

/** Writes them down like the consent they were asked with. */
export async function storeFurtherConsents(
  services: IdentityServices,
  { tenant, user }: PermissionRequest,
  consents: readonly FurtherConsent[],
  consentedBy: { readonly userId: string } | "everybody",
): Promise<void> {
  for (const { client, resource, scopes } of consents) {
    const registration = resource.applicationId === undefined ? undefined : { id: resource.applicationId };
    const given = { tenant, client, user, resource: { appId: resource.appId, registration } };
    await storeConsent(services, given, scopes, consentedBy);
  }
}
