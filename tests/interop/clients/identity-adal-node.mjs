// adal-node: client credentials with a secret and with a certificate, password, code, refresh, device code; all v1.
import { promisify } from "node:util";
import adal from "adal-node";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { Flows, readInput } from "./exchange.mjs";

const { authority, web, publicClient, certificate, resource, redirectUri, user } = await readInput();
const flows = new Flows();

/** A context of its own each time: nothing comes from a cache. */
async function call(name, ...values) {
  const context = new adal.AuthenticationContext(authority, false, new adal.MemoryCache());
  return promisify(context[name].bind(context))(...values);
}
const tokenOf = ({ accessToken, refreshToken }) => ({ token: accessToken, refreshToken });

await flows.run("client credentials, secret", 1, async () =>
  tokenOf(await call("acquireTokenWithClientCredentials", resource, web.clientId, web.clientSecret)),
);
const key = [certificate.privateKeyPem, certificate.thumbprint];
await flows.run("client credentials, certificate", 1, async () =>
  tokenOf(await call("acquireTokenWithClientCertificate", resource, web.clientId, ...key)),
);
const first = await flows.run("password", 1, async () =>
  tokenOf(
    await call("acquireTokenWithUsernamePassword", resource, user.username, user.password, publicClient.clientId),
  ),
);
await flows.run("refresh, public client", 1, async () =>
  tokenOf(await call("acquireTokenWithRefreshToken", first.refreshToken, publicClient.clientId, resource)),
);
const byCode = await flows.run("code", 1, async () => {
  const query = new URLSearchParams({ response_type: "code", client_id: web.clientId, redirect_uri: redirectUri });
  const { location } = await signInWithBrowser(`${authority}/oauth2/authorize?${query}`, user);
  const code = new URL(location).searchParams.get("code");
  const secret = [web.clientId, web.clientSecret];
  return tokenOf(await call("acquireTokenWithAuthorizationCode", code, redirectUri, resource, ...secret));
});
await flows.run("refresh", 1, async () =>
  tokenOf(await call("acquireTokenWithRefreshToken", byCode.refreshToken, web.clientId, web.clientSecret, resource)),
);
await flows.run("device code", 1, async () => {
  const userCode = await call("acquireUserCode", resource, publicClient.clientId, "en");
  await confirmDevice(userCode.verificationUrl, userCode.userCode, user);
  const asked = { ...userCode, interval: 1 };
  return tokenOf(await call("acquireTokenWithDeviceCode", resource, publicClient.clientId, asked));
});
await flows.run("refusal", 1, async () => {
  const error = await call("acquireTokenWithClientCredentials", resource, web.clientId, "wrong").catch(
    (thrown) => thrown,
  );
  const { error: word, error_codes: codes } = JSON.parse(/\{.*\}/s.exec(error.message)[0]);
  return { fact: { error: word, number: codes[0] } };
});
flows.answer();
