// openid-client (and oauth4webapi below it): discovery of both versions, code with PKCE, hybrid by form_post, refresh,
// client credentials, device code, userinfo, introspection, revocation.
import * as client from "openid-client";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { answer, readInput } from "./exchange.mjs";

const { origin, tenantId, web, publicClient, scope, redirectUri, user } = await readInput();
const server = new URL(`${origin}/${tenantId}/v2.0`);
const config = await client.discovery(server, web.clientId, undefined, client.ClientSecretPost(web.clientSecret));
const v1 = await client.discovery(
  new URL(`${origin}/${tenantId}/.well-known/openid-configuration`),
  web.clientId,
  undefined,
  client.ClientSecretBasic(web.clientSecret),
);

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: `openid profile email offline_access ${scope}`,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  state,
  max_age: "1000",
});
const { location } = await signInWithBrowser(url.href, user);
const tokens = await client.authorizationCodeGrant(config, new URL(location), {
  pkceCodeVerifier: verifier,
  expectedState: state,
  maxAge: 1000,
});
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);

const hybrid = await client.discovery(server, web.clientId, undefined, client.ClientSecretPost(web.clientSecret));
client.useCodeIdTokenResponseType(hybrid);
const nonce = client.randomNonce();
const hybridUrl = client.buildAuthorizationUrl(hybrid, {
  redirect_uri: redirectUri,
  scope: `openid offline_access ${scope}`,
  response_mode: "form_post",
  nonce,
  state,
});
const posted = await signInWithBrowser(hybridUrl.href, user);
const hybridTokens = await client.authorizationCodeGrant(
  hybrid,
  new Request(redirectUri, { method: "POST", body: new URLSearchParams(posted.fields) }),
  { expectedNonce: nonce, expectedState: state },
);

const own = await client.clientCredentialsGrant(config, { scope: scope.replace(/\/[^/]*$/, "/.default") });
const ownV1 = await client.clientCredentialsGrant(v1, { resource: scope.replace(/\/[^/]*$/, "") });

const open = await client.discovery(server, publicClient.clientId, undefined, client.None());
const device = await client.initiateDeviceAuthorization(open, { scope: `openid ${scope}` });
await confirmDevice(device.verification_uri_complete, device.user_code, user);
const deviceTokens = await client.pollDeviceAuthorizationGrant(open, { ...device, interval: 1 });

const refused = await client
  .clientCredentialsGrant(config, { scope: "api://nowhere/.default" })
  .catch((error) => ({ error: error.error, status: error.status }));
const info = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub).catch(String);

// Introspection and revocation, found by discovery.
const introspected = await client.tokenIntrospection(config, tokens.access_token);
await client.tokenRevocation(config, tokens.access_token);
await client.tokenRevocation(config, refreshed.refresh_token);
const revoked = await client.tokenIntrospection(config, tokens.access_token);
const ended = await client.refreshTokenGrant(config, refreshed.refresh_token).catch((error) => error.error);
answer({
  code: tokens.claims(),
  refreshed: refreshed.token_type,
  hybrid: hybridTokens.claims(),
  own: own.token_type,
  ownV1: ownV1.token_type,
  device: deviceTokens.claims(),
  refused,
  info,
  introspected,
  revoked,
  ended,
});
