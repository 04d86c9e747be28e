import { IdentityError } from "../protocol/identity-error.ts";
import { isGuid } from "../protocol/exchange.ts";
import { whenKnown } from "../store/when-known.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type Application, type Resource } from "./application.ts";
import { type ApplicationStore } from "./application-store.ts";
import { directoryResource, directoryResourceNames } from "./directory-resource.ts";

const SERVICE_PRINCIPAL_NAME = "spn:";
const APPLICATION_URI = "api://";

/**
 * Finds the resource that a client names: an App ID URI (a final slash more or less doesn't matter), the client id of
 * the protected application, that behind `spn:` or `api://`, or a name of the built-in directory.
 *
 * @param name  undefined when the request names none: then it is the directory (rulings, Identity 7)
 * @throws IdentityError 500011 when the tenant has no such resource
 */
export function getResource(
  applications: ApplicationStore,
  tenant: Tenant,
  name: string | undefined,
): Resource | Promise<Resource> {
  if (name === undefined) {
    return { ...directoryResource, requestedAs: directoryResource.appId };
  }
  const plainName = withoutPrefix(name, SERVICE_PRINCIPAL_NAME);
  if (directoryResourceNames.has(plainName.toLowerCase().replace(/\/$/, ""))) {
    return { ...directoryResource, requestedAs: name };
  }
  return whenKnown(findApplication(applications, tenant, plainName), (application) => {
    if (application === undefined || !application.document.isEnabled) {
      throw new IdentityError(500011, { resource: name, tenant: tenant.displayName });
    }
    const { tokenVersion, scopes, appRoles } = application.document;
    return { appId: application.appId, tokenVersion, scopes, appRoles, registration: application, requestedAs: name };
  });
}

function findApplication(
  applications: ApplicationStore,
  tenant: Tenant,
  name: string,
): Application | undefined | Promise<Application | undefined> {
  const appId = withoutPrefix(name, APPLICATION_URI).replace(/\/$/, "");
  if (isGuid(appId)) {
    return whenKnown(applications.findByAppId(appId), (application) =>
      application?.servicePrincipals.has(tenant.id) === true ? application : undefined,
    );
  }
  const otherSpelling = name.endsWith("/") ? name.slice(0, -1) : `${name}/`;
  return whenKnown(
    applications.findByIdentifierUri(tenant.id, name),
    (application) => application ?? applications.findByIdentifierUri(tenant.id, otherSpelling),
  );
}

function withoutPrefix(text: string, prefix: string): string {
  return text.toLowerCase().startsWith(prefix) ? text.slice(prefix.length) : text;
}
