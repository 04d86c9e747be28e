// @azure/msal-node: authorization code with PKCE, silent refresh, device code, on behalf of.
import { ConfidentialClientApplication, CryptoProvider, PublicClientApplication } from "@azure/msal-node";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { answer, readInput } from "./exchange.mjs";

const { authority, web, publicClient, middle, scope, middleScope, backScope, redirectUri, user } = await readInput();
const knownAuthorities = [new URL(authority).host];

async function byCode(client, redirect) {
  const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
  const request = { scopes: [scope], redirectUri: redirect, state: "the state" };
  const url = await client.getAuthCodeUrl({ ...request, codeChallenge: challenge, codeChallengeMethod: "S256" });
  const { location } = await signInWithBrowser(url, user);
  const parameters = new URL(location).searchParams;
  const code = parameters.get("code");
  const result = await client.acquireTokenByCode({ ...request, code, codeVerifier: verifier });
  const silent = await client.acquireTokenSilent({ account: result.account, scopes: [scope], forceRefresh: true });
  return {
    state: parameters.get("state"),
    username: result.account?.username,
    refreshed: silent.accessToken !== result.accessToken,
  };
}

const confidential = new ConfidentialClientApplication({ auth: { ...web, authority, knownAuthorities } });
const open = new PublicClientApplication({ auth: { ...publicClient, authority, knownAuthorities } });

const codeConfidential = await byCode(confidential, redirectUri);
const codePublic = await byCode(open, "http://localhost:4711/");

const device = await open.acquireTokenByDeviceCode({
  scopes: [scope],
  deviceCodeCallback: ({ userCode, verificationUri }) => void confirmDevice(verificationUri, userCode, user),
});

const forMiddle = await open.acquireTokenByUsernamePassword({ scopes: [middleScope], ...user });
const obo = await new ConfidentialClientApplication({
  auth: { ...middle, authority, knownAuthorities },
}).acquireTokenOnBehalfOf({ scopes: [backScope], oboAssertion: forMiddle.accessToken });

answer({
  codeConfidential,
  codePublic,
  device: device.account?.username,
  onBehalfOf: JSON.parse(Buffer.from(obo.accessToken.split(".")[1], "base64url").toString()),
});
