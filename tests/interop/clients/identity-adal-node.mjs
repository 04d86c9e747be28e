// adal-node: client credentials with a secret and with a certificate, password, code, refresh, device code; all v1.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import adal from "adal-node";
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { answer, readInput } from "./exchange.mjs";

const { authority, web, publicClient, certificate, resource, redirectUri, user } = await readInput();
const context = new adal.AuthenticationContext(authority, false);
const call = (name, ...values) => promisify(context[name].bind(context))(...values);

const bySecret = await call("acquireTokenWithClientCredentials", resource, web.clientId, web.clientSecret);
const der = Buffer.from(certificate.certificatePem.replace(/-----[^-]+-----/g, ""), "base64");
const thumbprint = createHash("sha1").update(der).digest("hex");
const byCertificate = await call(
  "acquireTokenWithClientCertificate",
  resource,
  web.clientId,
  certificate.privateKeyPem,
  thumbprint,
);
const byPassword = await call(
  "acquireTokenWithUsernamePassword",
  resource,
  user.username,
  user.password,
  publicClient.clientId,
);
const refreshed = await call("acquireTokenWithRefreshToken", byPassword.refreshToken, publicClient.clientId, resource);

const query = new URLSearchParams({ response_type: "code", client_id: web.clientId, redirect_uri: redirectUri });
const { location } = await signInWithBrowser(`${authority}/oauth2/authorize?${query}`, user);
const code = new URL(location).searchParams.get("code");
const byCode = await call(
  "acquireTokenWithAuthorizationCode",
  code,
  redirectUri,
  resource,
  web.clientId,
  web.clientSecret,
);

const userCode = await call("acquireUserCode", resource, publicClient.clientId, "en");
await confirmDevice(userCode.verificationUrl, userCode.userCode, user);
const byDevice = await call("acquireTokenWithDeviceCode", resource, publicClient.clientId, {
  ...userCode,
  interval: 1,
});

// A context of its own: the first one has the token in its cache.
const other = new adal.AuthenticationContext(authority, false, new adal.MemoryCache());
const ask = promisify(other.acquireTokenWithClientCredentials.bind(other));
const wrong = await ask(resource, web.clientId, "wrong").catch((error) => error.message.slice(0, 400));
answer({
  bySecret: bySecret.tokenType,
  byCertificate: byCertificate.tokenType,
  byPassword: byPassword.userId,
  refreshed: refreshed.tokenType,
  byCode: byCode.userId,
  byDevice: byDevice.userId,
  wrong,
});
