// openid-client: discovery of both versions, then every flow it knows on each of them.
import { createPrivateKey } from "node:crypto";
import * as client from "openid-client";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { Flows, readInput } from "./exchange.mjs";

const input = await readInput();
const { origin, tenantId, web, middle, publicClient, certificate, resource, scope, own, backScope } = input;
const { middleScope, redirectUri, user } = input;
const flows = new Flows();
const key = await crypto.subtle.importKey(
  "pkcs8",
  createPrivateKey(certificate.privateKeyPem).export({ type: "pkcs8", format: "der" }),
  { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  false,
  ["sign"],
);

/** What differs between the versions: where discovery is, and how a resource is named. */
const versions = {
  1: {
    metadata: new URL(`${origin}/${tenantId}/.well-known/openid-configuration`),
    forUser: { scope: "openid", resource },
    forItself: { resource },
  },
  2: {
    metadata: new URL(`${origin}/${tenantId}/v2.0`),
    forUser: { scope: `openid profile email offline_access ${scope}` },
    forItself: { scope: own },
  },
};

for (const version of [1, 2]) {
  const { metadata, forUser, forItself } = versions[version];
  const discover = ({ clientId }, authentication) =>
    client.discovery(metadata, clientId, undefined, authentication ?? client.None());
  const config = await discover(web, client.ClientSecretPost(web.clientSecret));
  const open = await discover(publicClient);
  const state = client.randomState();
  const nonce = client.randomNonce();

  for (const [flow, authentication] of [
    ["client credentials, secret", client.ClientSecretPost(web.clientSecret)],
    ["client credentials, secret by Basic", client.ClientSecretBasic(web.clientSecret)],
    [
      "client credentials, certificate",
      client.PrivateKeyJwt(key, {
        [client.modifyAssertion]: (header) => void (header.x5t = certificate.x5t),
      }),
    ],
  ]) {
    await flows.run(flow, version, async () => {
      const tokens = await client.clientCredentialsGrant(await discover(web, authentication), forItself);
      return { token: tokens.access_token };
    });
  }

  const first = await flows.run("code with PKCE", version, async () => {
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      ...forUser,
      redirect_uri: redirectUri,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      max_age: "1000",
    });
    const { location } = await signInWithBrowser(url.href, user);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, maxAge: 1000, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(config, new URL(location), checks);
    return { token: tokens.access_token, tokens };
  });
  const refreshed = await flows.run("refresh", version, async () => {
    const more = version === 1 ? { resource } : {};
    const tokens = await client.refreshTokenGrant(config, first.tokens.refresh_token, more);
    return { token: tokens.access_token, tokens };
  });
  await flows.run("hybrid by form_post", version, async () => {
    const hybrid = await discover(web, client.ClientSecretPost(web.clientSecret));
    client.useCodeIdTokenResponseType(hybrid);
    const url = client.buildAuthorizationUrl(hybrid, {
      ...forUser,
      redirect_uri: redirectUri,
      response_mode: "form_post",
      nonce,
      state,
    });
    const { fields } = await signInWithBrowser(url.href, user);
    const request = new Request(redirectUri, { method: "POST", body: new URLSearchParams(fields) });
    const checks = { expectedNonce: nonce, expectedState: state };
    const tokens = await client.authorizationCodeGrant(hybrid, request, checks);
    return { token: tokens.access_token };
  });
  await flows.run("implicit id token", version, async () => {
    const implicit = await discover(web, client.ClientSecretPost(web.clientSecret));
    client.useIdTokenResponseType(implicit);
    const parameters = { scope: "openid", redirect_uri: redirectUri, response_mode: "form_post", nonce, state };
    const url = client.buildAuthorizationUrl(implicit, parameters);
    const { fields } = await signInWithBrowser(url.href, user);
    const request = new Request(redirectUri, { method: "POST", body: new URLSearchParams(fields) });
    const claims = await client.implicitAuthentication(implicit, request, nonce, { expectedState: state });
    return { fact: { audience: claims.aud === web.clientId } };
  });
  if (version === 2) {
    await flows.run("device code", version, async () => {
      const device = await client.initiateDeviceAuthorization(open, forUser);
      await confirmDevice(device.verification_uri_complete, device.user_code, user);
      const tokens = await client.pollDeviceAuthorizationGrant(open, { ...device, interval: 1 });
      return { token: tokens.access_token };
    });
  }
  await flows.run("password", version, async () => {
    const fields = { ...forUser, username: user.username, password: user.password };
    const tokens = await client.genericGrantRequest(open, "password", fields);
    return { token: tokens.access_token };
  });
  await flows.run("on behalf of", version, async () => {
    const server = await discover(middle, client.ClientSecretPost(middle.clientSecret));
    const name = middleScope.replace(/\/[^/]*$/, "");
    const fields = { username: user.username, password: user.password };
    const wanted = version === 1 ? { resource: name, scope: "openid" } : { scope: middleScope };
    const { access_token: assertion } = await client.genericGrantRequest(open, "password", { ...wanted, ...fields });
    const target = version === 1 ? { resource: backScope.replace(/\/[^/]*$/, "") } : { scope: backScope };
    const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const asked = { ...target, assertion, requested_token_use: "on_behalf_of" };
    const tokens = await client.genericGrantRequest(server, jwtBearer, asked);
    return { token: tokens.access_token };
  });
  await flows.run("userinfo", version, async () => {
    const { access_token: token } = first.tokens;
    return { fact: await client.fetchUserInfo(config, token, first.tokens.claims().sub) };
  });
  await flows.run("introspection", version, async () => {
    const { active, username, scope: given } = await client.tokenIntrospection(config, first.tokens.access_token);
    return { fact: { active, username, scope: given } };
  });
  await flows.run("revocation", version, async () => {
    await client.tokenRevocation(config, first.tokens.access_token);
    await client.tokenRevocation(config, refreshed.tokens.refresh_token);
    const { active } = await client.tokenIntrospection(config, first.tokens.access_token);
    const more = version === 1 ? { resource } : {};
    const ended = client.refreshTokenGrant(config, refreshed.tokens.refresh_token, more);
    return { fact: { active, refresh: await ended.catch((error) => error.error) } };
  });
  await flows.run("refusal", version, async () => {
    const wrong = await discover(web, client.ClientSecretPost("wrong"));
    const { error, cause } = await client.clientCredentialsGrant(wrong, forItself).catch((thrown) => thrown);
    return { fact: { error, number: cause.error_codes[0] } };
  });
}
flows.answer();
