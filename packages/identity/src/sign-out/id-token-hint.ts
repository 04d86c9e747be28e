import { verify } from "node:crypto";
import { type KeyRing } from "../signing-keys/key-ring.ts";

const LENGTH_LIMIT = 16_384;

/** Whom an id token is for and about. */
export interface IdTokenHint {
  readonly clientAppId: string;
  readonly userId: string;
}

/**
 * Reads an id token of ours that a client brings back. It may have expired: it is a hint and opens nothing.
 *
 * @returns undefined for anything that isn't an id token of ours; an access token is none, although the keys are the same
 */
export function findIdTokenHint(keys: KeyRing, token: string | undefined): IdTokenHint | undefined {
  const [header, payload, signature, ...more] = token?.split(".") ?? [];
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) {
    return undefined;
  }
  const { alg, kid } = decode(header);
  const key = alg === "RS256" && typeof kid === "string" ? keys.findPublicKey(kid) : undefined;
  const isOurs =
    key !== undefined &&
    payload.length < LENGTH_LIMIT &&
    verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"));
  const claims = isOurs ? decode(payload) : {};
  const { aud, oid } = claims;
  const isIdToken = !("appid" in claims) && !("azp" in claims);
  return isIdToken && typeof aud === "string" && typeof oid === "string"
    ? { clientAppId: aud, userId: oid }
    : undefined;
}

function decode(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
