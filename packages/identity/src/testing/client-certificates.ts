import "reflect-metadata";
import { constants, createHash, KeyObject, sign } from "node:crypto";
import * as x509 from "@peculiar/x509";

/** A certificate with its private key, as a client holds them. */
export interface ClientIdentity {
  readonly privateKey: KeyObject;
  readonly der: Buffer;
  readonly pem: string;
}

/** A self-signed client certificate. */
export async function createClientIdentity(
  notBefore: Date,
  notAfter: Date,
  modulusLength = 2048,
): Promise<ClientIdentity> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength,
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=client",
    notBefore,
    notAfter,
    keys,
    signingAlgorithm: algorithm,
  });
  return {
    privateKey: KeyObject.from(keys.privateKey),
    der: Buffer.from(certificate.rawData),
    pem: certificate.toString("pem"),
  };
}

/** base64url digest of a certificate. */
export function x5t(identity: ClientIdentity, algorithm: "sha1" | "sha256" = "sha1"): string {
  return createHash(algorithm).update(identity.der).digest("base64url");
}

/** Signs a JWT exactly as told: any header, any claims. */
export function signAssertion(header: object, claims: object, key: KeyObject, alg = "RS256"): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode(header)}.${encode(claims)}`;
  const padding =
    alg === "PS256"
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : { padding: constants.RSA_PKCS1_PADDING };
  const hash = alg.endsWith("512") ? "sha512" : "sha256";
  return `${text}.${sign(hash, Buffer.from(text), { key, ...padding }).toString("base64url")}`;
}
