import { createHmac } from "node:crypto";
import { remembered } from "../request/remembered.ts";
import { Signature } from "./signature.ts";

/** One of an account's two keys. Never printed: only signing and {@link AccountKey.reveal} use it. */
export class AccountKey {
  readonly #text: string;
  readonly #bytes: Buffer;
  readonly #recurring = remembered(64, (text) => this.sign(text));

  /**
   * @param text  base64, taken leniently: people bring keys along that are no canonical base64 (storage §19), and
   *              clients decode them as leniently
   */
  constructor(text: string) {
    this.#text = text;
    this.#bytes = Buffer.from(text, "base64");
  }

  /** HMAC-SHA256 over the UTF-8 text (identity-and-storage §5.6). */
  sign(text: string): Signature {
    return new Signature(createHmac("sha256", this.#bytes).update(text, "utf8").digest());
  }

  /** As {@link sign}, for a text that comes again: one shared access signature is good for many requests. */
  signRecurring(text: string): Signature {
    return this.#recurring(text);
  }

  /** The key as its owner knows it, for the management interface and for sealing. */
  reveal(): string {
    return this.#text;
  }

  toJSON(): string {
    return "[account key]";
  }
}
