import { sign } from "node:crypto";
import { promisify } from "node:util";
import { BoundedMap } from "../store/bounded-map.ts";
import { type SigningKey } from "../signing-keys/signing-key.ts";

const signOnThreadPool = promisify(sign);

/** Which version's header a token has: v1 names the key twice. (reference §6.1) */
export type TokenVersion = 1 | 2;

/**
 * A JWT in compact form, signed RS256 on the thread pool so that the event loop goes on meanwhile.
 *
 * @source RFC 7515 §3.1, §7.1
 */
export async function signJwt(
  claims: object,
  key: SigningKey,
  version: TokenVersion,
  type: TokenType = "JWT",
): Promise<string> {
  const signedText = `${encodedHeader(key.kid, version, type)}.${base64url(JSON.stringify(claims))}`;
  const signature = await signOnThreadPool("sha256", Buffer.from(signedText, "latin1"), key.privateKey);
  return `${signedText}.${signature.toString("base64url")}`;
}

/** What `typ` says: one kind of token can't be taken for another. (RFC 8725 §3.11) */
export type TokenType = "JWT" | "logout+jwt";

/** Far more keys than are ever in use; bounds the map over years of rotation. */
const HEADER_LIMIT = 100;
const headers = new BoundedMap<string>(HEADER_LIMIT);

/** Headers differ only by key, so each is encoded once. */
function encodedHeader(kid: string, version: TokenVersion, typ: TokenType): string {
  const name = `${typ} ${version} ${kid}`;
  const known = headers.get(name);
  if (known !== undefined) {
    return known;
  }
  const header = version === 1 ? { typ, alg: "RS256", x5t: kid, kid } : { typ, alg: "RS256", kid };
  const encoded = base64url(JSON.stringify(header));
  headers.set(name, encoded);
  return encoded;
}

function base64url(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}
