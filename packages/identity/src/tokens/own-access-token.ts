import { hash, verify } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type KeyRing } from "../signing-keys/key-ring.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import { type TokenVersion } from "./compact-jws.ts";
import { issuerOf } from "./issuer.ts";

/** An access token of ours that was brought back: signature and issuer are right, its time is not over. */
export interface OwnAccessToken {
  /** `uti`. */
  readonly id: string;
  /** `rh`: the same for all tokens of one sign-in. */
  readonly familyMark: string | undefined;
  readonly version: TokenVersion;
  readonly tenantId: string;
  /** As the token says it: a client id or the name under which the resource was asked for. */
  readonly audience: string;
  readonly clientAppId: string;
  /** Whom it speaks for: a user, or a service principal when there is none. */
  readonly kind: "user" | "application";
  readonly objectId: string;
  readonly scopes: ReadonlySet<string>;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Why a text is not an access token of ours that counts. */
export type TokenFlaw = "malformed" | "foreign" | "expired" | "not an access token";

/** Far above our own longest; bounds what an unauthenticated request can make us hash. */
const LENGTH_LIMIT = 16_384;
const CACHE_LIMIT = 5_000;

/** Verifies our own access tokens. A signature is checked once, then a bounded memory of digests answers. */
export class OwnAccessTokens {
  readonly #keys: KeyRing;
  readonly #publicUrl: () => string;
  readonly #clock: Clock;
  readonly #verified = new BoundedMap<OwnAccessToken>(CACHE_LIMIT);

  /** @param publicUrl  asked each time: it may be known only once the server listens */
  constructor(keys: KeyRing, publicUrl: () => string, clock: Clock) {
    this.#keys = keys;
    this.#publicUrl = publicUrl;
    this.#clock = clock;
  }

  verify(token: string): OwnAccessToken | TokenFlaw {
    if (token.length > LENGTH_LIMIT) {
      return "malformed";
    }
    const digest = hash("sha256", token, "base64");
    const known = this.#verified.get(digest);
    const result = known ?? this.#read(token);
    if (typeof result === "string") {
      return result;
    }
    if (result.expiresAtSeconds * 1000 <= this.#clock.now()) {
      this.#verified.delete(digest);
      return "expired";
    }
    if (known === undefined) {
      this.#verified.set(digest, result);
    }
    return result;
  }

  #read(token: string): OwnAccessToken | TokenFlaw {
    const [header = "", payload = "", signature = "", ...more] = token.split(".");
    const head = decode(header);
    const claims = decode(payload);
    if (more.length > 0 || head === undefined || claims === undefined) {
      return "malformed";
    }
    // RFC 8725 §3.1: the algorithm is ours to say, never the token's; §3.10: nor is the key anything but a name.
    const key =
      head["alg"] === "RS256" && !("crit" in head) ? this.#keys.findPublicKey(String(head["kid"])) : undefined;
    if (
      key === undefined ||
      !verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))
    ) {
      return "foreign";
    }
    return this.#interpret(claims);
  }

  #interpret(claims: Readonly<Record<string, unknown>>): OwnAccessToken | TokenFlaw {
    const text = (name: string): string => (typeof claims[name] === "string" ? claims[name] : "");
    const version: TokenVersion = claims["ver"] === "2.0" ? 2 : 1;
    if (text("iss") !== issuerOf(this.#publicUrl(), text("tid"), version)) {
      return "foreign";
    }
    // Id tokens are signed with the same keys; only access tokens name the client beside the audience.
    const clientAppId = text(version === 1 ? "appid" : "azp");
    if (clientAppId === "" || ("nonce" in claims && !("scp" in claims))) {
      return "not an access token";
    }
    return {
      id: text("uti"),
      familyMark: typeof claims["rh"] === "string" ? claims["rh"] : undefined,
      version,
      tenantId: text("tid"),
      audience: text("aud"),
      clientAppId,
      kind: "scp" in claims ? "user" : "application",
      objectId: text("oid"),
      scopes: new Set(text("scp").split(" ").filter(Boolean)),
      issuedAtSeconds: Number(claims["iat"]),
      expiresAtSeconds: Number(claims["exp"]),
      claims,
    };
  }
}

function decode(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
