/**
 * Seals secrets before they reach the database, with a key that lies outside of it. The context names what the secret
 * is for; opening under another context fails.
 */
export interface SecretBox {
  seal(plaintextBytes: Uint8Array, context: string): Uint8Array;
  open(sealedBytes: Uint8Array, context: string): Uint8Array;
}
