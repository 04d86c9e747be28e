import { type Application, type RedirectUri } from "../applications/application.ts";
import { isSecureRedirectUri } from "../applications/redirect-uri.ts";
import { IdentityError } from "../protocol/identity-error.ts";

const LOOPBACK_LITERALS: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]"]);

/**
 * The reply address a request means, as the request wrote it, and what kind of client it belongs to.
 *
 * Order matters: whether the scheme is secure is judged before whether the address is registered, so that an insecure
 * one is always told so. (identity §4.2, §7; rulings, Identity 6; reference §7.5)
 *
 * @throws IdentityError 90102 not absolute, 500119 not a place, 500117 insecure, 50011 not registered, 500113 / 900971
 *         when none is given and there isn't exactly one. These are never delivered by redirect.
 */
export function findReplyAddress(application: Application, given: string | undefined): RedirectUri {
  const registered = application.document.redirectUris;
  if (given === undefined) {
    const [only, ...more] = registered;
    if (only === undefined) {
      throw new IdentityError(500113);
    }
    if (more.length > 0) {
      throw new IdentityError(900971);
    }
    return only;
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || given.includes("#")) {
    throw new IdentityError(90102, { uri: given });
  }
  if (url.protocol === "urn:") {
    throw new IdentityError(500119, { uri: given });
  }
  const match = registered.find((each) => isSameAddress(each.uri, given));
  const isAllowedLoopback = LOOPBACK_LITERALS.has(url.hostname) && match?.type === "public";
  if (!isSecureRedirectUri(url) && !isAllowedLoopback) {
    throw new IdentityError(500117, { uri: given });
  }
  if (match === undefined) {
    throw new IdentityError(50011, { uri: given });
  }
  return { uri: given, type: match.type };
}

/**
 * An address that every reader takes apart alike: parsers quietly read a backslash as a slash, put missing slashes
 * after the scheme, and drop spaces and line breaks. (RFC 9700 §4.1.3)
 */
const AS_WRITTEN = /^[a-z][a-z0-9+.-]*:\/\/[^\s\\]+$/i;

/** Exact, except that any port of this machine is the same and a missing path is the root. (reference §7.5) */
export function isSameAddress(registered: string, given: string): boolean {
  if (registered === given) {
    return true;
  }
  if (!URL.canParse(given) || !AS_WRITTEN.test(given)) {
    return false;
  }
  const [left, right] = [new URL(registered), new URL(given)];
  const isLocal = left.protocol === "http:" && (left.hostname === "localhost" || LOOPBACK_LITERALS.has(left.hostname));
  return (
    left.protocol === right.protocol &&
    left.hostname === right.hostname &&
    (isLocal || left.port === right.port) &&
    left.username === right.username &&
    left.password === right.password &&
    rest(registered, left) === rest(given, right)
  );
}

/** Path and query as written, not as a parser would normalise them: `/a/../b` is not `/b`. */
function rest(text: string, url: URL): string {
  const afterScheme = text.slice(`${url.protocol}//`.length);
  const start = afterScheme.search(/[/?]/);
  const written = start === -1 ? "" : afterScheme.slice(start);
  return written === "" ? "/" : written;
}
