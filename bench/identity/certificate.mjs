import "reflect-metadata"; // the X.509 library needs it before itself
import { webcrypto } from "node:crypto";
import { X509CertificateGenerator } from "@peculiar/x509";

/** A key pair of 2048 bits and a self-signed certificate of a client, as PEM. */
export async function createCertificate() {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const notAfter = new Date(Date.now() + 86_400_000);
  const more = { name: "CN=client", notAfter, signingAlgorithm: algorithm, keys };
  const certificate = await X509CertificateGenerator.createSelfSigned(more, webcrypto);
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  const lines = pkcs8.match(/.{1,64}/g).join("\n");
  return {
    certificatePem: certificate.toString("pem"),
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  };
}
