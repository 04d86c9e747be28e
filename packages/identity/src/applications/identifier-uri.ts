import { ManagementError } from "../protocol/management-error.ts";

const LENGTH_LIMIT = 255;

/**
 * An App ID URI as written: absolute, without blanks, query or fragment.
 *
 * @throws ManagementError when it isn't
 */
export function readIdentifierUri(uri: string): string {
  const isUri = uri.length <= LENGTH_LIMIT && /^[a-z][a-z0-9+.-]*:[^\s?#\p{Cc}]+$/iu.test(uri);
  if (!isUri) {
    throw new ManagementError("Request_BadRequest", `'${uri}' is not an App ID URI such as api://orders`);
  }
  return uri;
}
