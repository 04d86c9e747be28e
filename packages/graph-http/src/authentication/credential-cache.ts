import { hash, randomBytes } from "node:crypto";

/** Remembers this many credentials; beyond that the oldest is forgotten and pays its hash again. */
const MAXIMUM_ENTRIES = 10_000;

/**
 * `Authorization` headers whose password the slow hash has accepted, and the name in each, so that neither is worked out
 * per request. Only digests under a key of this process are kept, never the credentials. Every change of an account
 * clears it.
 *
 * @source rulings, Graph 7
 */
export class CredentialCache {
  readonly #key = randomBytes(32).toString("base64");
  readonly #accepted = new Map<string, string>();

  /** The name of the account that `header` was accepted for. */
  find(header: string): string | undefined {
    return this.#accepted.get(this.#digest(header));
  }

  add(header: string, name: string): void {
    if (this.#accepted.size >= MAXIMUM_ENTRIES) {
      const [oldest] = this.#accepted.keys();
      if (oldest !== undefined) {
        this.#accepted.delete(oldest);
      }
    }
    this.#accepted.set(this.#digest(header), name);
  }

  clear(): void {
    this.#accepted.clear();
  }

  /** A hash behind a key is enough where digests are never shown, and a tenth of the work of an HMAC. */
  #digest(header: string): string {
    return hash("sha256", this.#key + header, "base64");
  }
}
