import { isSecureRedirectUri } from "../applications/redirect-uri.ts";
import { ManagementError } from "../protocol/management-error.ts";

const LENGTH_LIMIT = 2_000;

/**
 * An address at which an application is told that a session has ended: https, or http on localhost, without fragment
 * and user name.
 *
 * @throws ManagementError naming the member when it is none
 * @source OpenID Connect Back-Channel Logout 1.0 §2.2; OpenID Connect Front-Channel Logout 1.0 §2
 */
export function readLogoutUrl(member: string, text: string): string {
  const url = text.length <= LENGTH_LIMIT && URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === undefined || !isHttp || !isSecureRedirectUri(url) || url.hash !== "" || url.username !== "") {
    throw new ManagementError(
      "Request_BadRequest",
      `'${member}' must be an https address (or http on localhost) without fragment and user name`,
    );
  }
  return text;
}
