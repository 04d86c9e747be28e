import { createCipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { type BlobEncryption } from "./blob-encryption.ts";

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
 * A key that content and metadata are encrypted with: one that a client sends along with a request (decisions/0188),
 * which lives as long as the request does, or that of an encryption scope. Nothing shows the key itself.
 *
 * AES-256 in counter mode, so that a range is decrypted without what lies before it. Each run of bytes begins its
 * counter at a random number of 128 bits.
 */
export class ContentKey {
  readonly #key: KeyObject;
  /** What is kept of it. */
  readonly encryption: BlobEncryption;

  /** @param bytes  {@link KEY_BYTES} of them */
  constructor(bytes: Uint8Array, encryption: BlobEncryption) {
    this.#key = createSecretKey(bytes);
    this.encryption = encryption;
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
