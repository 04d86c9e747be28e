import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { type ServerCertificate } from "@trefoil/http";
import { PemConverter, X509CertificateGenerator } from "@peculiar/x509";

/** A certificate for a test's https listener, signed by itself. */
export async function createTestCertificate(): Promise<ServerCertificate> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=localhost",
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    keys: keys as Parameters<typeof X509CertificateGenerator.createSelfSigned>[0]["keys"],
  });
  const privateKey = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { certPem: certificate.toString("pem"), keyPem: PemConverter.encode(privateKey, "PRIVATE KEY") };
}
