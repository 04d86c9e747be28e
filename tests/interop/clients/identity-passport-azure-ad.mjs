// passport-azure-ad: BearerStrategy and OIDCStrategy, driven as passport does it; v1 and v2.0.
import { createRequire } from "node:module";
import path from "node:path";
import { signInWithBrowser } from "./browser.mjs";
import { Flows, readInput } from "./exchange.mjs";

const input = await readInput();
const { origin, tenantId, web, certificate, resource, redirectUri, user, folder } = input;
// From a folder of its own: the library's tree is none for our lockfile.
const { BearerStrategy, OIDCStrategy } = createRequire(path.join(folder, "index.js"))("passport-azure-ad");
const flows = new Flows();
const metadata = {
  1: `${origin}/${tenantId}/.well-known/openid-configuration`,
  2: `${origin}/${tenantId}/v2.0/.well-known/openid-configuration`,
};

/** What passport does around a strategy: a copy of it, with the ways a request can end. */
function authenticate(strategy, request, options = {}) {
  return new Promise((resolve, reject) => {
    const attempt = Object.assign(Object.create(strategy), {
      success: (_user, info) => resolve({ info }),
      redirect: (url) => resolve({ url }),
      fail: (challenge) => reject(new Error(`refused: ${JSON.stringify(challenge)}`)),
      error: reject,
    });
    attempt.authenticate({ query: {}, body: {}, headers: {}, session: {}, ...request }, options);
  });
}

async function ask(version, fields) {
  const { token_endpoint: endpoint } = await (await fetch(metadata[version])).json();
  const client = { grant_type: "client_credentials", client_id: web.clientId, client_secret: web.clientSecret };
  const response = await fetch(endpoint, { method: "POST", body: new URLSearchParams({ ...client, ...fields }) });
  return (await response.json()).access_token;
}

for (const [version, name, fields] of [
  [1, resource, { resource }],
  [2, input.backClientId, { scope: input.backScope.replace(/\/[^/]*$/, "/.default") }],
]) {
  const strategy = (audience) =>
    new BearerStrategy(
      { identityMetadata: metadata[version], clientID: web.clientId, audience, loggingLevel: "error" },
      (claims, done) => done(null, claims, claims),
    );
  const token = await ask(version, fields);
  const request = { headers: { authorization: `Bearer ${token}` } };
  await flows.run("bearer strategy", version, async () => {
    const { info } = await authenticate(strategy(name), request);
    return info.aud === name ? { token } : {};
  });
  await flows.run("bearer strategy refuses another audience", version, async () => {
    const refused = await authenticate(strategy("api://elsewhere"), request).catch((error) => error.message);
    return { fact: String(refused).startsWith("refused") };
  });
}

for (const version of [1, 2]) {
  for (const responseType of ["code", "id_token", "code id_token"]) {
    for (const responseMode of responseType === "code" ? ["query", "form_post"] : ["form_post"]) {
      await flows.run(`openid strategy, ${responseType}, ${responseMode}`, version, () =>
        signIn(version, { responseType, responseMode, clientSecret: web.clientSecret }),
      );
    }
  }
  const byCertificate = { privatePEMKey: certificate.privateKeyPem, thumbprint: certificate.x5t };
  await flows.run("openid strategy, code, certificate", version, () =>
    signIn(version, { responseType: "code", responseMode: "form_post", ...byCertificate }),
  );
}
await flows.run("openid strategy, code with resource", 1, () =>
  signIn(1, { responseType: "code", responseMode: "query", clientSecret: web.clientSecret }, { resourceURL: resource }),
);
flows.answer();

/** Redirect, sign-in, return: with one session, as a web application has it. */
async function signIn(version, options, more = {}) {
  const strategy = new OIDCStrategy(
    {
      identityMetadata: metadata[version],
      clientID: web.clientId,
      redirectUrl: redirectUri,
      scope: ["profile"],
      loggingLevel: "error",
      ...options,
    },
    (issuer, subject, profile, accessToken, refreshToken, done) => done(null, profile, profile),
  );
  const session = {};
  const { url } = await authenticate(strategy, { session }, more);
  const { location, fields } = await signInWithBrowser(url, user);
  const arrival =
    location === undefined ? { body: fields } : { query: Object.fromEntries(new URL(location).searchParams) };
  const { info } = await authenticate(strategy, { session, ...arrival }, more);
  return { fact: { user: info.upn ?? info._json.preferred_username } };
}
