import { type Resource } from "./application.ts";

/** The directory's own client id, the same in every installation as clients expect it to be. (reference §11) */
export const DIRECTORY_APP_ID = "00000002-0000-0000-c000-000000000000";

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
  ],
  appRoles: [],
};
