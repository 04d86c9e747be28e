import { createCipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

/** Of a key; AES-256. */
export const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
const COUNTER_MODULUS = 1n << 128n;

/** Encrypts or decrypts the bytes that follow those it was called with before. */
export type CipherStream = (bytes: Uint8Array) => Buffer;

/** A run of bytes that is being encrypted. */
export interface Encryption {
  /** Needed to decrypt them; no secret. */
  readonly nonce: Uint8Array;
  readonly encrypt: CipherStream;
}

/**
 * A key that a client sends along with a request (decisions/0188). It lives as long as the request does: only its
 * hash is kept, and nothing shows the key itself.
 *
 * AES-256 in counter mode, so that a range is decrypted without what lies before it. Each run of bytes begins its
 * counter at a random number of 128 bits.
 */
export class CustomerKey {
  readonly #key: KeyObject;
  /** Base64: what is kept of it. */
  readonly sha256: string;

  /** @param bytes  {@link KEY_BYTES} of them */
  constructor(bytes: Uint8Array) {
    this.#key = createSecretKey(bytes);
    this.sha256 = createHash("sha256").update(bytes).digest("base64");
  }

  beginEncryption(): Encryption {
    const nonce = Uint8Array.from(randomBytes(BLOCK_BYTES));
    return { nonce, encrypt: this.cipherStream(nonce, 0) };
  }

  /** @param offset  of the first byte in the run that was encrypted */
  cipherStream(nonce: Uint8Array, offset: number): CipherStream {
    const cipher = createCipheriv("aes-256-ctr", this.#key, counterAt(nonce, Math.floor(offset / BLOCK_BYTES)));
    cipher.update(new Uint8Array(offset % BLOCK_BYTES));
    return (bytes) => cipher.update(bytes);
  }
}

function counterAt(nonce: Uint8Array, block: number): Buffer {
  const first = BigInt(`0x${Buffer.from(nonce).toString("hex")}`);
  const counter = (first + BigInt(block)) % COUNTER_MODULUS;
  return Buffer.from(counter.toString(16).padStart(2 * BLOCK_BYTES, "0"), "hex");
}
