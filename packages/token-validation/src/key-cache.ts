import { type Clock } from "@trefoil/base";
import { type CryptoKey, importJWK, type JWK } from "jose";
import { ProviderUnavailableError } from "./errors.ts";
import { discoveryUrl, metadataIssuer, type TrustedIssuer } from "./issuer.ts";

/** Keys are read again when they are this old. (reference §6.5) */
const FRESH_MS = 24 * 3_600_000;
/** An unknown `kid` makes us read again, but never more often than this, whoever sends such tokens. */
const COOLDOWN_MS = 30_000;

export type JsonFetcher = (url: string) => Promise<unknown>;

/** The public keys of one issuer, found by discovery, kept and refreshed. */
export class KeyCache {
  readonly #issuer: TrustedIssuer;
  readonly #fetchJson: JsonFetcher;
  readonly #clock: Clock;
  #keys: ReadonlyMap<string, CryptoKey> = new Map();
  #readAtMs = -Infinity;
  #triedAtMs = -Infinity;
  #failure: unknown;
  #refreshing: Promise<void> | undefined;

  constructor(issuer: TrustedIssuer, fetchJson: JsonFetcher, clock: Clock) {
    this.#issuer = issuer;
    this.#fetchJson = fetchJson;
    this.#clock = clock;
  }

  /**
   * @returns undefined when the issuer has no such key
   * @throws  ProviderUnavailableError when its keys have never been read and can't be now
   */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const isFresh = this.#clock.now() - this.#readAtMs < FRESH_MS;
    if (!isFresh || !this.#keys.has(kid)) {
      await this.#refresh();
    }
    return this.#keys.get(kid);
  }

  /** All who wait share one attempt. A failed one leaves the old keys in use. */
  async #refresh(): Promise<void> {
    if (this.#refreshing === undefined) {
      if (this.#clock.now() - this.#triedAtMs < COOLDOWN_MS) {
        this.#failWithoutKeys();
        return;
      }
      this.#triedAtMs = this.#clock.now();
      this.#refreshing = this.#read().finally(() => {
        this.#refreshing = undefined;
      });
    }
    await this.#refreshing;
    this.#failWithoutKeys();
  }

  #failWithoutKeys(): void {
    if (this.#readAtMs === -Infinity) {
      throw new ProviderUnavailableError(`The keys of ${this.#issuer.base} cannot be read`, this.#failure);
    }
  }

  async #read(): Promise<void> {
    try {
      const jwksUri = jwksUriOf(await this.#fetchJson(discoveryUrl(this.#issuer)), this.#issuer);
      this.#keys = await importKeys(await this.#fetchJson(jwksUri));
      this.#readAtMs = this.#clock.now();
    } catch (error) {
      this.#failure = error;
      // Without any key the next token may try again at once: the provider is probably just starting.
      this.#triedAtMs = this.#readAtMs === -Infinity ? -Infinity : this.#triedAtMs;
    }
  }
}

/** Metadata that names another issuer, or keys elsewhere, isn't this issuer's. (OpenID Connect Discovery §4.3) */
function jwksUriOf(metadata: unknown, issuer: TrustedIssuer): string {
  const { issuer: named, jwks_uri: uri } = record(metadata);
  if (named !== metadataIssuer(issuer)) {
    throw new Error(`the metadata names the issuer '${String(named)}' instead of '${metadataIssuer(issuer)}'`);
  }
  if (typeof uri !== "string" || !URL.canParse(uri) || new URL(uri).origin !== new URL(issuer.base).origin) {
    throw new Error(`the metadata's jwks_uri is not an address of ${issuer.base}`);
  }
  return uri;
}

async function importKeys(keySet: unknown): Promise<ReadonlyMap<string, CryptoKey>> {
  const { keys } = record(keySet);
  const imported = new Map<string, CryptoKey>();
  for (const key of Array.isArray(keys) ? (keys as readonly unknown[]) : []) {
    const jwk = record(key) as JWK;
    if (jwk.kty === "RSA" && typeof jwk.kid === "string" && (jwk.use ?? "sig") === "sig") {
      // Only the numbers: nothing else in the entry may decide how the key is used.
      const { n, e, kid } = jwk;
      imported.set(kid, (await importJWK({ kty: "RSA", n, e } as JWK, "RS256")) as CryptoKey);
    }
  }
  return imported;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) {
    throw new Error("the answer is not a JSON object");
  }
  return value as Readonly<Record<string, unknown>>;
}
