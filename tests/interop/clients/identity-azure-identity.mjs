// @azure/identity: secret, certificate, password, device code, code, on behalf of, managed identity; all v2.0.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  AuthorizationCodeCredential,
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  OnBehalfOfCredential,
  UsernamePasswordCredential,
} from "@azure/identity";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { Flows, readInput } from "./exchange.mjs";

const input = await readInput();
const { origin, tenantId, web, publicClient, middle, certificate, scope, own, middleScope, backScope } = input;
const { redirectUri, user } = input;
const options = { authorityHost: origin, disableInstanceDiscovery: true };
const folder = mkdtempSync(path.join(tmpdir(), "trefoil-azure-identity-"));
const certificatePath = path.join(folder, "client.pem");
writeFileSync(certificatePath, certificate.privateKeyPem + certificate.certificatePem, { mode: 0o600 });
const flows = new Flows();

const get = async (credential, wanted) => ({ token: (await credential.getToken(wanted)).token });
await flows.run("client credentials, secret", 2, () =>
  get(new ClientSecretCredential(tenantId, web.clientId, web.clientSecret, options), own),
);
for (const sendCertificateChain of [false, true]) {
  const flow = `client credentials, certificate${sendCertificateChain ? " with chain" : ""}`;
  const credential = new ClientCertificateCredential(
    tenantId,
    web.clientId,
    { certificatePath },
    { ...options, sendCertificateChain },
  );
  await flows.run(flow, 2, () => get(credential, own));
}
const byPassword = new UsernamePasswordCredential(
  tenantId,
  publicClient.clientId,
  user.username,
  user.password,
  options,
);
await flows.run("password", 2, () => get(byPassword, scope));
await flows.run("device code", 2, () =>
  get(
    new DeviceCodeCredential({
      ...options,
      tenantId,
      clientId: publicClient.clientId,
      userPromptCallback: ({ userCode, verificationUri }) => void confirmDevice(verificationUri, userCode, user),
    }),
    scope,
  ),
);
await flows.run("code", 2, async () => {
  const query = new URLSearchParams({
    client_id: web.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: `openid offline_access ${scope}`,
  });
  const { location } = await signInWithBrowser(`${origin}/${tenantId}/oauth2/v2.0/authorize?${query}`, user);
  const code = new URL(location).searchParams.get("code");
  const secret = [web.clientId, web.clientSecret];
  return get(new AuthorizationCodeCredential(tenantId, ...secret, code, redirectUri, options), scope);
});
await flows.run("on behalf of", 2, async () => {
  const { token: userAssertionToken } = await byPassword.getToken(middleScope);
  return get(new OnBehalfOfCredential({ ...options, tenantId, ...middle, userAssertionToken }), backScope);
});
await flows.run("refusal", 2, async () => {
  const wrong = new ClientSecretCredential(tenantId, web.clientId, "wrong", options);
  const { message } = await wrong.getToken(own).catch((thrown) => thrown);
  return { fact: { error: /invalid_client/.exec(message)?.[0], number: Number(/STS(\d+)/.exec(message)?.[1]) } };
});
rmSync(folder, { recursive: true });
flows.answer();
