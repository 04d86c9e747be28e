import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { thumbprint } from "../applications/client-certificate.ts";

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

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const CERTIFICATE_YEARS = 5;

/** A new RSA key of 2048 bits with a self-signed certificate; the private part as PKCS #8. */
export async function createSigningKey(
  nowMs: number,
): Promise<{ readonly kid: string; readonly certificateDer: Buffer; readonly pkcs8: Buffer }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const notAfter = new Date(nowMs);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + CERTIFICATE_YEARS);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=token signing",
    serialNumber: Buffer.from(crypto.getRandomValues(new Uint8Array(15)))
      .toString("hex")
      .replace(/^/, "01"),
    notBefore: new Date(nowMs - 3_600_000),
    notAfter,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true)],
  });
  const certificateDer = Buffer.from(certificate.rawData);
  return {
    kid: thumbprint("sha1", certificateDer),
    certificateDer,
    pkcs8: Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)),
  };
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
