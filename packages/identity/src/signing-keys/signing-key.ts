import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";

/** A key that tokens are signed with, and the certificate under which it is published. */
export interface SigningKey {
  /** base64url SHA-1 of the certificate: `kid` and `x5t` are the same, since some clients look keys up by the other. */
  readonly kid: string;
  readonly certificateDer: Uint8Array;
  readonly privateKey: KeyObject;
  readonly activeFromMs: number;
  readonly retiredAtMs: number | undefined;
}

/** A key as a JSON Web Key Set shows it. (reference §9.2) */
export interface PublishedKey {
  readonly kty: "RSA";
  readonly use: "sig";
  readonly kid: string;
  readonly x5t: string;
  readonly n: string;
  readonly e: string;
  readonly x5c: readonly [string];
}

export function readPrivateKey(pkcs8: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.from(pkcs8), format: "der", type: "pkcs8" });
}

export function publishedKey(key: SigningKey): PublishedKey {
  const certificate = new X509Certificate(key.certificateDer);
  const { n = "", e = "" } = certificate.publicKey.export({ format: "jwk" });
  const der = Buffer.from(key.certificateDer).toString("base64");
  return { kty: "RSA", use: "sig", kid: key.kid, x5t: key.kid, n, e, x5c: [der] };
}

/** What the private part is sealed for. */
export function contextOfSigningKey(kid: string): string {
  return `identity/signing-key:${kid}`;
}
