/** The session; the prefix makes browsers insist on Secure, the root path and no domain. (rulings, Identity 9) */
export const SESSION_COOKIE = "__Host-session";
/** Ties a form to the browser it was shown in. */
export const FORM_COOKIE = "__Host-form";

/** The value of one cookie of a request. (RFC 6265 §4.2) */
export function findCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals !== -1 && pair.slice(0, equals).trim() === name) {
      return pair.slice(equals + 1).trim();
    }
  }
  return undefined;
}

/** `none` lets frames of other sites renew tokens silently. (rulings, Identity 9) */
export type SameSite = "lax" | "none";

/** @param maxAgeMs  undefined: until the browser is closed */
export function setCookie(name: string, value: string, maxAgeMs?: number, sameSite: SameSite = "lax"): string {
  const age = maxAgeMs === undefined ? "" : `; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${WORDS[sameSite]}${age}`;
}

export function clearCookie(name: string, sameSite: SameSite = "lax"): string {
  return setCookie(name, "", 0, sameSite);
}

const WORDS: Readonly<Record<SameSite, string>> = { lax: "Lax", none: "None" };
