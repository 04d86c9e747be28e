import { ADMINISTRATOR } from "../users/user.ts";
import { type Resource } from "./application.ts";
import { derivedGuid } from "./derived-guid.ts";

/** The directory's own client id, the same in every installation as clients expect it to be. (reference §11) */
export const DIRECTORY_APP_ID = "00000002-0000-0000-c000-000000000000";

/** The scope by which a client may manage with the rights of the administrator who signed in. (decisions/0070) */
export const DIRECTORY_ACCESS = "Directory.AccessAsUser.All";

/** Names under which clients ask for the directory, without a final slash. */
export const directoryResourceNames: ReadonlySet<string> = new Set([
  DIRECTORY_APP_ID,
  "00000003-0000-0000-c000-000000000000",
  "https://graph.windows.net",
  "https://graph.microsoft.com",
]);

/**
 * The built-in resource: the directory with its management interface. Tokens are for it when a request names no
 * resource. (rulings, Identity 7 and 10)
 */
export const directoryResource: Omit<Resource, "requestedAs"> = {
  appId: DIRECTORY_APP_ID,
  tokenVersion: 1,
  scopes: [
    {
      id: "e1fe6dd8-ba31-4d61-89e7-88639da4683d",
      value: "User.Read",
      description: "Read the profile of the signed-in user",
      consentBy: "User",
      isEnabled: true,
    },
    {
      id: "0e263e50-5827-48a4-b97c-d940288653c7",
      value: DIRECTORY_ACCESS,
      description: "Use the management interface with all rights of the signed-in user",
      consentBy: "Admin",
      isEnabled: true,
    },
  ],
  appRoles: [
    {
      id: "b7a1d8f4-62b9-4b0e-9c1d-6f0d7c1b3a52",
      value: ADMINISTRATOR,
      displayName: "Administrator",
      description: "Use the management interface without a user",
      allowedMemberTypes: ["User", "Application"],
      isEnabled: true,
    },
  ],
};

/** The directory's principal in a tenant: made from the tenant's id, since there is no registration behind it. */
export function directoryServicePrincipalId(tenantId: string): string {
  return derivedGuid(`directory principal of ${tenantId}`);
}
