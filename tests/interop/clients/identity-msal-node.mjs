// @azure/msal-node: secret, certificate, password, code with PKCE, silent refresh, device code, on behalf of; all v2.0.
import { ConfidentialClientApplication, CryptoProvider, PublicClientApplication } from "@azure/msal-node";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { Flows, readInput } from "./exchange.mjs";

const input = await readInput();
const { authority, web, publicClient, middle, certificate, scope, own, middleScope, backScope, redirectUri, user } =
  input;
const auth = { authority, knownAuthorities: [new URL(authority).host] };
const flows = new Flows();

const confidential = new ConfidentialClientApplication({ auth: { ...auth, ...web } });
const open = new PublicClientApplication({ auth: { ...auth, ...publicClient } });
const certified = (x5c) =>
  new ConfidentialClientApplication({
    auth: {
      ...auth,
      clientId: web.clientId,
      clientCertificate: {
        thumbprintSha256: certificate.thumbprintSha256,
        privateKey: certificate.privateKeyPem,
        ...(x5c ? { x5c: certificate.certificatePem } : {}),
      },
    },
  });
const byItself = async (client) => ({
  token: (await client.acquireTokenByClientCredential({ scopes: [own] })).accessToken,
});
await flows.run("client credentials, secret", 2, () => byItself(confidential));
await flows.run("client credentials, certificate", 2, () => byItself(certified(false)));
await flows.run("client credentials, certificate with chain", 2, () => byItself(certified(true)));

async function byCode(client, redirect) {
  const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
  const request = { scopes: [scope], redirectUri: redirect, state: "the state" };
  const url = await client.getAuthCodeUrl({ ...request, codeChallenge: challenge, codeChallengeMethod: "S256" });
  const { location } = await signInWithBrowser(url, user);
  const parameters = new URL(location).searchParams;
  if (parameters.get("state") !== "the state") {
    throw new Error("the state is lost");
  }
  return client.acquireTokenByCode({ ...request, code: parameters.get("code"), codeVerifier: verifier });
}
for (const [flow, client, redirect] of [
  ["code with PKCE", confidential, redirectUri],
  ["code with PKCE, public client", open, "http://localhost:4711/"],
]) {
  const first = await flows.run(flow, 2, async () => {
    const result = await byCode(client, redirect);
    return { token: result.accessToken, account: result.account };
  });
  await flows.run(flow.replace("code with PKCE", "refresh"), 2, async () => {
    const request = { account: first.account, scopes: [scope], forceRefresh: true };
    const { accessToken } = await client.acquireTokenSilent(request);
    return { token: accessToken === first.token ? undefined : accessToken };
  });
}
await flows.run("device code", 2, async () => {
  const { accessToken } = await open.acquireTokenByDeviceCode({
    scopes: [scope],
    deviceCodeCallback: ({ userCode, verificationUri }) => void confirmDevice(verificationUri, userCode, user),
  });
  return { token: accessToken };
});
const forMiddle = await flows.run("password", 2, async () => {
  const { accessToken } = await open.acquireTokenByUsernamePassword({ scopes: [middleScope], ...user });
  return { token: accessToken };
});
await flows.run("on behalf of", 2, async () => {
  const server = new ConfidentialClientApplication({ auth: { ...auth, ...middle } });
  const { accessToken } = await server.acquireTokenOnBehalfOf({ scopes: [backScope], oboAssertion: forMiddle.token });
  return { token: accessToken };
});
await flows.run("refusal", 2, async () => {
  const wrong = new ConfidentialClientApplication({ auth: { ...auth, ...web, clientSecret: "wrong" } });
  const error = await wrong.acquireTokenByClientCredential({ scopes: [own] }).catch((thrown) => thrown);
  return { fact: { error: error.errorCode, number: Number(error.errorNo) } };
});
flows.answer();
