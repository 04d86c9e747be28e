import { type Resource } from "../applications/application.ts";
import { type ApplicationStore } from "../applications/application-store.ts";
import {
  DIRECTORY_APP_ID,
  directoryResource,
  directoryServicePrincipalId,
} from "../applications/directory-resource.ts";

/** A resource whose roles and scopes are given away: an application, or the built-in directory. */
export interface AssignedResource extends Omit<Resource, "requestedAs"> {
  /** Undefined for the directory, which has no registration. */
  readonly applicationId: string | undefined;
  readonly servicePrincipalId: string;
  readonly displayName: string;
}

/** By client id; undefined when there is no such application or it has no principal in the tenant. */
export async function findAssignedResource(
  applications: ApplicationStore,
  tenantId: string,
  appId: string,
): Promise<AssignedResource | undefined> {
  if (appId === DIRECTORY_APP_ID) {
    return {
      ...directoryResource,
      applicationId: undefined,
      servicePrincipalId: directoryServicePrincipalId(tenantId),
      displayName: "Directory",
    };
  }
  const application = await applications.findByAppId(appId);
  const servicePrincipalId = application?.servicePrincipals.get(tenantId);
  if (application === undefined || servicePrincipalId === undefined) {
    return undefined;
  }
  const { tokenVersion, scopes, appRoles } = application.document;
  return {
    appId: application.appId,
    tokenVersion,
    scopes,
    appRoles,
    applicationId: application.id,
    servicePrincipalId,
    displayName: application.displayName,
  };
}
