import "reflect-metadata"; // the X.509 library's dependency injection needs it, before the library itself
import * as x509 from "@peculiar/x509";
import { thumbprint } from "../applications/client-certificate.ts";

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
