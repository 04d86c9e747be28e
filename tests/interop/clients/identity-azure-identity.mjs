// @azure/identity: secret, certificate with its chain, password, device code.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  UsernamePasswordCredential,
} from "@azure/identity";
import { confirmDevice } from "./browser.mjs";
import { answer, readInput } from "./exchange.mjs";

const { origin, tenantId, web, publicClient, certificate, scope, user } = await readInput();
const options = { authorityHost: origin, disableInstanceDiscovery: true };
const file = path.join(tmpdir(), `trefoil-azure-identity-${process.pid}.pem`);
writeFileSync(file, certificate.privateKeyPem + certificate.certificatePem, { mode: 0o600 });

const own = scope.replace(/\/[^/]*$/, "/.default");
const credentials = {
  secret: [new ClientSecretCredential(tenantId, web.clientId, web.clientSecret, options), own],
  certificate: [
    new ClientCertificateCredential(
      tenantId,
      web.clientId,
      { certificatePath: file },
      { ...options, sendCertificateChain: true },
    ),
    own,
  ],
  password: [
    new UsernamePasswordCredential(tenantId, publicClient.clientId, user.username, user.password, options),
    scope,
  ],
  device: [
    new DeviceCodeCredential({
      ...options,
      tenantId,
      clientId: publicClient.clientId,
      userPromptCallback: ({ userCode, verificationUri }) => void confirmDevice(verificationUri, userCode, user),
    }),
    scope,
  ],
};
const results = {};
for (const [name, [credential, wanted]] of Object.entries(credentials)) {
  const { token } = await credential.getToken(wanted);
  results[name] = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString()).aud;
}
const wrong = new ClientSecretCredential(tenantId, web.clientId, "wrong", options);
results.wrong = await wrong.getToken(own).catch((error) => String(error.message).slice(0, 400));
answer(results);
