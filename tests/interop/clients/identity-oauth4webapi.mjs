// oauth4webapi: the primitives one by one, with each answer validated by it; both versions.
import { createPrivateKey } from "node:crypto";
import * as oauth from "oauth4webapi";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { Flows, readInput } from "./exchange.mjs";

const { origin, tenantId, web, publicClient, certificate, resource, scope, own, redirectUri, user } = await readInput();
const flows = new Flows();
const der = createPrivateKey(certificate.privateKeyPem).export({ type: "pkcs8", format: "der" });
const importKey = (name) => crypto.subtle.importKey("pkcs8", der, { name, hash: "SHA-256" }, false, ["sign"]);
const keys = { RS256: await importKey("RSASSA-PKCS1-v1_5"), PS256: await importKey("RSA-PSS") };

const versions = {
  1: {
    issuer: new URL(`${origin}/${tenantId}/`),
    forUser: { scope: "openid", resource },
    forItself: { resource },
  },
  2: {
    issuer: new URL(`${origin}/${tenantId}/v2.0`),
    forUser: { scope: `openid offline_access ${scope}` },
    forItself: { scope: own },
  },
};

for (const version of [1, 2]) {
  const { issuer, forUser, forItself } = versions[version];
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
  const confidential = { client_id: web.clientId };
  const secret = oauth.ClientSecretPost(web.clientSecret);
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const expect = { expectedNonce: nonce };

  for (const [flow, authentication] of [
    ["client credentials, secret", secret],
    ["client credentials, secret by Basic", oauth.ClientSecretBasic(web.clientSecret)],
    ["client credentials, certificate", byKey(keys.RS256, "x5t")],
    ["client credentials, certificate, PS256", byKey(keys.PS256, "x5t#S256")],
  ]) {
    await flows.run(flow, version, async () => {
      const response = await oauth.clientCredentialsGrantRequest(as, confidential, authentication, forItself);
      const tokens = await oauth.processClientCredentialsResponse(as, confidential, response);
      return { token: tokens.access_token };
    });
  }

  const first = await flows.run("code with PKCE", version, async () => {
    const verifier = oauth.generateRandomCodeVerifier();
    const { location } = await signIn({
      response_type: "code",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const parameters = oauth.validateAuthResponse(as, confidential, new URL(location), state);
    const tokens = await redeem(parameters, verifier);
    return { token: tokens.access_token, tokens };
  });
  await flows.run("hybrid by form_post", version, async () => {
    const { fields } = await signIn({ response_type: "code id_token", response_mode: "form_post" });
    const body = new URLSearchParams(fields);
    const request = new Request(redirectUri, { method: "POST", body });
    const parameters = await oauth.validateCodeIdTokenResponse(as, confidential, request, nonce, state);
    const tokens = await redeem(parameters, oauth.nopkce);
    return { token: tokens.access_token };
  });
  const refreshed = await flows.run("refresh", version, async () => {
    const additionalParameters = version === 1 ? { resource } : {};
    const { refresh_token: token } = first.tokens;
    const response = await oauth.refreshTokenGrantRequest(as, confidential, secret, token, { additionalParameters });
    const tokens = await oauth.processRefreshTokenResponse(as, confidential, response);
    return { token: tokens.access_token, tokens };
  });
  if (version === 2) {
    await flows.run("device code", version, async () => {
      const open = { client_id: publicClient.clientId };
      const asked = await oauth.deviceAuthorizationRequest(as, open, oauth.None(), forUser);
      const device = await oauth.processDeviceAuthorizationResponse(as, open, asked);
      await confirmDevice(device.verification_uri, device.user_code, user);
      const response = await oauth.deviceCodeGrantRequest(as, open, oauth.None(), device.device_code);
      const tokens = await oauth.processDeviceCodeResponse(as, open, response);
      return { token: tokens.access_token };
    });
  }
  await flows.run("userinfo", version, async () => {
    const response = await oauth.userInfoRequest(as, confidential, first.tokens.access_token);
    const { sub } = oauth.getValidatedIdTokenClaims(first.tokens);
    return { fact: await oauth.processUserInfoResponse(as, confidential, sub, response) };
  });
  await flows.run("introspection", version, async () => {
    const response = await oauth.introspectionRequest(as, confidential, secret, first.tokens.access_token);
    const { active, username, scope: given } = await oauth.processIntrospectionResponse(as, confidential, response);
    return { fact: { active, username, scope: given } };
  });
  await flows.run("revocation", version, async () => {
    const { access_token: token } = first.tokens;
    for (const each of [token, refreshed.tokens.refresh_token]) {
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, confidential, secret, each));
    }
    const judged = await oauth.introspectionRequest(as, confidential, secret, token);
    const { active } = await oauth.processIntrospectionResponse(as, confidential, judged);
    const { refresh_token: ended } = refreshed.tokens;
    const additionalParameters = version === 1 ? { resource } : {};
    const again = await oauth.refreshTokenGrantRequest(as, confidential, secret, ended, { additionalParameters });
    const refused = await oauth.processRefreshTokenResponse(as, confidential, again).catch((error) => error.error);
    return { fact: { active, refresh: refused } };
  });
  await flows.run("refusal", version, async () => {
    const wrong = oauth.ClientSecretPost("wrong");
    const response = await oauth.clientCredentialsGrantRequest(as, confidential, wrong, forItself);
    const { error, cause } = await oauth
      .processClientCredentialsResponse(as, confidential, response)
      .catch((thrown) => thrown);
    return { fact: { error, number: cause.error_codes[0] } };
  });

  function signIn(more) {
    const query = { client_id: web.clientId, redirect_uri: redirectUri, ...forUser, state, nonce, ...more };
    return signInWithBrowser(`${as.authorization_endpoint}?${new URLSearchParams(query)}`, user);
  }

  async function redeem(parameters, verifier) {
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      confidential,
      secret,
      parameters,
      redirectUri,
      verifier,
    );
    return oauth.processAuthorizationCodeResponse(as, confidential, response, { ...expect, requireIdToken: true });
  }
}
flows.answer();

function byKey(cryptoKey, thumbprint) {
  return oauth.PrivateKeyJwt(cryptoKey, {
    [oauth.modifyAssertion]: (header) => void (header[thumbprint] = certificate[thumbprint]),
  });
}
