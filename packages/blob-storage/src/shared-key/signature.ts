import { timingSafeEqual } from "node:crypto";

/** A signature, compared only in constant time. */
export class Signature {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  static fromBase64(text: string): Signature {
    return new Signature(Buffer.from(text, "base64"));
  }

  equals(other: Signature): boolean {
    return this.#bytes.length === other.#bytes.length && timingSafeEqual(this.#bytes, other.#bytes);
  }

  toBase64(): string {
    return this.#bytes.toString("base64");
  }
}
