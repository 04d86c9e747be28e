// jose: makes a client's assertions, and judges tokens as a resource server does, by discovery alone; both versions.
import { createRemoteJWKSet, importPKCS8, jwtVerify, SignJWT } from "jose";
import { Flows, readInput } from "./exchange.mjs";

const { origin, tenantId, web, publicClient, certificate, resource, scope, own, user } = await readInput();
const flows = new Flows();
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const versions = {
  1: { metadata: `${origin}/${tenantId}/.well-known/openid-configuration`, own: { resource }, user: { resource } },
  2: { metadata: `${origin}/${tenantId}/v2.0/.well-known/openid-configuration`, own: { scope: own }, user: { scope } },
};

for (const version of [1, 2]) {
  const { metadata, own: forItself, user: forUser } = versions[version];
  const { token_endpoint: endpoint, jwks_uri: keysUrl } = await (await fetch(metadata)).json();
  const keys = createRemoteJWKSet(new URL(keysUrl));
  // The resource's manifest decides the version of its tokens, and with it their issuer.
  const { issuer } = await (await fetch(versions[1].metadata)).json();
  const ask = async (fields) => (await fetch(endpoint, { method: "POST", body: new URLSearchParams(fields) })).json();
  const judged = async (token) => {
    await jwtVerify(token, keys, { issuer, audience: resource, algorithms: ["RS256"] });
    return { token };
  };

  for (const { alg, ...header } of [
    { alg: "RS256", x5t: certificate.x5t },
    { alg: "PS256", "x5t#S256": certificate["x5t#S256"] },
  ]) {
    await flows.run(`client credentials, certificate, ${alg}`, version, async () => {
      const assertion = await new SignJWT({})
        .setProtectedHeader({ alg, typ: "JWT", ...header })
        .setIssuer(web.clientId)
        .setSubject(web.clientId)
        .setAudience(endpoint)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setNotBefore("0s")
        .setExpirationTime("5 minutes")
        .sign(await importPKCS8(certificate.privateKeyPem, alg));
      const client = { client_id: web.clientId, client_assertion_type: assertionType, client_assertion: assertion };
      const tokens = await ask({ grant_type: "client_credentials", ...client, ...forItself });
      return judged(tokens.access_token);
    });
  }
  await flows.run("validation of a user's token", version, async () => {
    const client = { client_id: publicClient.clientId };
    const tokens = await ask({ grant_type: "password", ...client, ...user, ...forUser });
    return judged(tokens.access_token);
  });
  await flows.run("validation refuses a changed token", version, async () => {
    const { access_token: token } = await ask({
      grant_type: "client_credentials",
      client_id: web.clientId,
      client_secret: web.clientSecret,
      ...forItself,
    });
    const [header, , signature] = token.split(".");
    const claims = Buffer.from(JSON.stringify({ iss: issuer, aud: resource, exp: 9_999_999_999 })).toString(
      "base64url",
    );
    const verdict = jwtVerify(`${header}.${claims}.${signature}`, keys, { issuer, audience: resource });
    return { fact: await verdict.catch((error) => error.code) };
  });
}
flows.answer();
