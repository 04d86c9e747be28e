import { type Application } from "../applications/application.ts";
import { ManagementError } from "../protocol/management-error.ts";

/**
 * A manifest that names another application is in the wrong place; one that names none is welcome.
 *
 * @throws ManagementError naming the member that differs
 */
export function checkManifestIdentity(application: Application, manifest: object): void {
  const expected = { id: application.id, objectId: application.id, appId: application.appId };
  for (const [name, id] of Object.entries(expected)) {
    const given = (manifest as Readonly<Record<string, unknown>>)[name];
    if (given !== undefined && given !== null && String(given as string).toLowerCase() !== id) {
      throw new ManagementError("Request_BadRequest", `The manifest's '${name}' is another application's`);
    }
  }
}
