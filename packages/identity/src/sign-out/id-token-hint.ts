import { verify } from "node:crypto";
import { type KeyRing } from "../signing-keys/key-ring.ts";

const LENGTH_LIMIT = 16_384;

/**
 * The client that an id token of ours was made for. It may have expired: it only tells who asks for the sign-out.
 *
 * @returns undefined for anything that isn't an id token of ours
 */
export function clientOfIdToken(keys: KeyRing, token: string | undefined): string | undefined {
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
  const { aud } = isOurs ? decode(payload) : {};
  return typeof aud === "string" ? aud : undefined;
}

function decode(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
