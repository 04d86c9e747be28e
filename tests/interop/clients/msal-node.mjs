// @azure/msal-node: client credentials by certificate and by secret, and the password grant.
import { createHash } from "node:crypto";
import { ConfidentialClientApplication, PublicClientApplication } from "@azure/msal-node";
import { answer, readInput } from "./exchange.mjs";

const { authority, confidential, publicClient, scope, user } = await readInput();
const knownAuthorities = [new URL(authority).host];
const scopes = [scope];

const der = Buffer.from(confidential.certificatePem.replace(/-----[^-]+-----/g, ""), "base64");
const clientCertificate = {
  thumbprintSha256: createHash("sha256").update(der).digest("hex"),
  privateKey: confidential.privateKeyPem,
};
const { clientId, clientSecret } = confidential;

const byCertificate = await new ConfidentialClientApplication({
  auth: { clientId, authority, knownAuthorities, clientCertificate },
}).acquireTokenByClientCredential({ scopes });

const byCertificateChain = await new ConfidentialClientApplication({
  auth: {
    clientId,
    authority,
    knownAuthorities,
    clientCertificate: { ...clientCertificate, x5c: confidential.certificatePem },
  },
}).acquireTokenByClientCredential({ scopes });

const bySecret = await new ConfidentialClientApplication({
  auth: { clientId, authority, knownAuthorities, clientSecret },
}).acquireTokenByClientCredential({ scopes });

const wrongSecret = await new ConfidentialClientApplication({
  auth: { clientId, authority, knownAuthorities, clientSecret: "wrong" },
})
  .acquireTokenByClientCredential({ scopes })
  .catch((error) => ({ error: error.errorCode }));

const byPassword = await new PublicClientApplication({
  auth: { clientId: publicClient.clientId, authority, knownAuthorities },
}).acquireTokenByUsernamePassword({ scopes, username: user.username, password: user.password });

answer({
  byCertificate: byCertificate.accessToken,
  byCertificateChain: byCertificateChain.accessToken,
  bySecret: bySecret.accessToken,
  wrongSecret,
  byPassword: { accessToken: byPassword.accessToken, username: byPassword.account?.username },
});
