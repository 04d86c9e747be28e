import "reflect-metadata"; // the X.509 library needs it before itself
import { createHash, webcrypto } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ConfidentialClientApplication } from "@azure/msal-node";
import { X509CertificateGenerator } from "@peculiar/x509";
import { trefoil } from "./command-line.mjs";
import { line } from "./print.mjs";

/**
 * Registers a service and a client that proves itself with a certificate, and gets the client a token for the service.
 *
 * @param {{ dataDirectory: string, identity: { issuer: string, tenantId: string } }} installation
 */
export async function getTokenWithCertificate({ dataDirectory, identity }) {
  const audience = `api://demo-${Date.now()}`;
  const service = await trefoil(dataDirectory, ["app", "create", "Demo service", "--app-id-uri", audience]);
  const client = await trefoil(dataDirectory, ["app", "create", "Demo client"]);
  const { certificatePem, privateKeyPem } = await createCertificate();

  const folder = await mkdtemp(path.join(tmpdir(), "trefoil-demo-"));
  const file = path.join(folder, "certificate.pem");
  await writeFile(file, certificatePem);
  await trefoil(dataDirectory, ["app", "certificate", "add", client.appId, file]);
  await rm(folder, { recursive: true });
  line("registered", `service ${service.appId}, client ${client.appId}`);

  const certificate = Buffer.from(certificatePem.replace(/-----[^-]+-----/g, ""), "base64");
  const application = new ConfidentialClientApplication({
    auth: {
      clientId: client.appId,
      authority: `${new URL(identity.issuer).origin}/${identity.tenantId}`,
      knownAuthorities: [new URL(identity.issuer).host],
      clientCertificate: {
        thumbprintSha256: createHash("sha256").update(certificate).digest("hex"),
        privateKey: privateKeyPem,
        x5c: certificatePem,
      },
    },
  });
  const token = await application.acquireTokenByClientCredential({ scopes: [`${audience}/.default`] });
  const claims = JSON.parse(Buffer.from(token.accessToken.split(".")[1], "base64url").toString());
  line("token", `${token.accessToken.slice(0, 30)}… for ${claims.aud}, from ${claims.iss}`);
  return { accessToken: token.accessToken, audience: claims.aud };
}

async function createCertificate() {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    { name: "CN=demo client", notAfter: new Date(Date.now() + 24 * 3600 * 1000), signingAlgorithm: algorithm, keys },
    webcrypto,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  const body = pkcs8.match(/.{1,64}/g)?.join("\n");
  return {
    certificatePem: certificate.toString("pem"),
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`,
  };
}
