import { type Clock } from "@trefoil/base";
import { isLoopbackHost } from "@trefoil/http";
import type { JSONWebKeySet } from "jose";
import { isFetchable } from "./outside-address.ts";

/** Reads one JSON document, or throws saying why not. */
export type FetchDocument = (url: URL) => Promise<unknown>;

const FRESH_MS = 60 * 60_000;
/** Keys that can't be renewed go on counting for so long. */
const STALE_MS = 24 * 60 * 60_000;
/** An assertion with an unknown key has the keys read again, but not by everybody who can make one up. */
const COOLDOWN_MS = 30_000;
const ISSUER_LIMIT = 1_000;
const KEY_LIMIT = 100;

interface Known {
  readonly keys: JSONWebKeySet | undefined;
  readonly readAtMs: number;
  readonly triedAtMs: number;
  readonly problem: string;
}

/**
 * The public keys of outside issuers, found by OpenID discovery and kept for an hour. Only issuers that an
 * administrator entered are ever asked; what their documents refer to is judged like the issuer itself.
 *
 * @source OpenID Connect Discovery 1.0 §4
 */
export class IssuerKeys {
  readonly #clock: Clock;
  readonly #fetch: FetchDocument;
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<Known>>();

  constructor(clock: Clock, fetch: FetchDocument) {
    this.#clock = clock;
    this.#fetch = fetch;
  }

  /**
   * @param keyId  `kid` of the assertion: when the keys known lack it they are read again
   * @throws Error when there are no keys, saying why
   */
  async of(issuer: string, keyId: unknown): Promise<JSONWebKeySet> {
    const nowMs = this.#clock.now();
    const known = this.#known.get(issuer);
    const isFresh = known?.keys !== undefined && nowMs - known.readAtMs < FRESH_MS && hasKey(known.keys, keyId);
    const isCooling = known !== undefined && nowMs - known.triedAtMs < COOLDOWN_MS;
    const { keys, problem, readAtMs } =
      known !== undefined && (isFresh || isCooling) ? known : await this.#read(issuer);
    if (keys === undefined || nowMs - readAtMs >= STALE_MS) {
      throw new Error(problem);
    }
    return keys;
  }

  /** One request at a time and issuer, however many wait for it. */
  #read(issuer: string): Promise<Known> {
    const reading = this.#reading.get(issuer) ?? this.#fetchKeys(issuer).finally(() => this.#reading.delete(issuer));
    this.#reading.set(issuer, reading);
    return reading;
  }

  async #fetchKeys(issuer: string): Promise<Known> {
    const before = this.#known.get(issuer);
    const nowMs = this.#clock.now();
    let known: Known;
    try {
      known = { keys: await this.#discover(issuer), readAtMs: nowMs, triedAtMs: nowMs, problem: "" };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      known = { keys: before?.keys, readAtMs: before?.readAtMs ?? 0, triedAtMs: nowMs, problem };
    }
    const oldest = this.#known.keys().next();
    if (this.#known.size >= ISSUER_LIMIT && oldest.done !== true) {
      this.#known.delete(oldest.value);
    }
    this.#known.set(issuer, known);
    return known;
  }

  async #discover(issuer: string): Promise<JSONWebKeySet> {
    const url = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
    const configuration = membersOf(await this.#fetch(url));
    if (configuration["issuer"] !== issuer) {
      throw new Error("the discovery document names another issuer");
    }
    const { jwks_uri: keysUri } = configuration;
    if (typeof keysUri !== "string" || !URL.canParse(keysUri)) {
      throw new Error("the discovery document has no jwks_uri");
    }
    const keysUrl = new URL(keysUri);
    // An issuer of the outside must not have us ask a service of this machine.
    if (!isFetchable(keysUrl) || (isLoopbackHost(keysUrl.hostname) && !isLoopbackHost(url.hostname))) {
      throw new Error("the jwks_uri is at no address that may be asked");
    }
    const { keys } = membersOf(await this.#fetch(keysUrl));
    if (!Array.isArray(keys) || keys.length > KEY_LIMIT) {
      throw new Error("the key document has no list of keys");
    }
    return { keys: keys.filter((key) => typeof key === "object" && key !== null) as JSONWebKeySet["keys"] };
  }
}

function hasKey({ keys }: JSONWebKeySet, keyId: unknown): boolean {
  return keyId === undefined || keys.some((key) => key.kid === keyId);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
