import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type SecretBox } from "../store/secret-box.ts";

const CONTEXT = "identity/form:";
const LIFETIME_MS = 30 * 60_000;
const KEY_BYTES = 32;

/**
 * Seals a form's state into the form itself, so that the server keeps nothing, and ties it to a cookie of the browser:
 * a form that some other site made up, or took over from another browser, is not accepted.
 */
export class SealedForms {
  readonly #secrets: SecretBox;
  readonly #clock: Clock;

  constructor(secrets: SecretBox, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /**
   * @param kind    which pages the form belongs to; those of others don't take it
   * @param cookie  the browser's form cookie, if it has one already: several tabs share it
   */
  seal(kind: string, state: object, cookie: string | undefined): { readonly sealed: string; readonly cookie: string } {
    const key = cookie !== undefined && KEY.test(cookie) ? cookie : randomBytes(KEY_BYTES).toString("base64url");
    const content: SealedContent<object> = {
      state,
      browser: digest(key),
      expiresAtMs: this.#clock.now() + LIFETIME_MS,
    };
    const sealed = this.#secrets.seal(Buffer.from(JSON.stringify(content), "utf8"), CONTEXT + kind);
    return { sealed: Buffer.from(sealed).toString("base64url"), cookie: key };
  }

  /** @returns undefined when the form isn't ours, is another browser's, or is too old */
  open<State extends object>(kind: string, sealed: string | undefined, cookie: string | undefined): State | undefined {
    if (sealed === undefined || cookie === undefined) {
      return undefined;
    }
    const content = this.#unseal<State>(kind, sealed);
    const isSameBrowser =
      content !== undefined && timingSafeEqual(Buffer.from(content.browser), Buffer.from(digest(cookie)));
    return isSameBrowser && content.expiresAtMs > this.#clock.now() ? content.state : undefined;
  }

  #unseal<State extends object>(kind: string, sealed: string): SealedContent<State> | undefined {
    try {
      const bytes = this.#secrets.open(Buffer.from(sealed, "base64url"), CONTEXT + kind);
      return JSON.parse(Buffer.from(bytes).toString("utf8")) as SealedContent<State>;
    } catch {
      // Whoever changes a form learns nothing but that it wasn't accepted.
      return undefined;
    }
  }
}

interface SealedContent<State extends object> {
  readonly state: State;
  readonly browser: string;
  readonly expiresAtMs: number;
}

const KEY = /^[\w-]{43}$/;

function digest(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("base64url");
}
