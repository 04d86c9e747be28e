import { hash, randomBytes } from "node:crypto";

/** Remembers this many credentials; beyond that the oldest is forgotten and pays its hash again. */
const MAXIMUM_ENTRIES = 10_000;

/**
 * Credentials that the slow hash has accepted, so that it is paid once and not per request. Only digests under a key of
 * this process are kept, never the credentials. Every change of an account clears it.
 *
 * @source rulings, Graph 7
 */
export class CredentialCache {
  readonly #key = randomBytes(32).toString("base64");
  readonly #accepted = new Set<string>();

  has(name: string, password: string): boolean {
    return this.#accepted.has(this.#digest(name, password));
  }

  add(name: string, password: string): void {
    if (this.#accepted.size >= MAXIMUM_ENTRIES) {
      const [oldest] = this.#accepted;
      if (oldest !== undefined) {
        this.#accepted.delete(oldest);
      }
    }
    this.#accepted.add(this.#digest(name, password));
  }

  clear(): void {
    this.#accepted.clear();
  }

  /**
   * The length of the name comes first, so that no other split of the same characters has this digest. A hash behind a
   * key is enough where digests are never shown, and a tenth of the work of an HMAC.
   */
  #digest(name: string, password: string): string {
    return hash("sha256", `${this.#key}${name.length}:${name}${password}`, "base64");
  }
}
