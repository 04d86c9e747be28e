/**
 * node-oidc-provider with everything in memory, set up for the same work as ours: access tokens are JWTs signed with
 * RS256, a refresh gives both tokens. Prints its port and the tokens that its requests need.
 *
 * Input, as JSON in the first argument: `{folder, clientId, clientSecret, assertionClientId, jwk, publicJwk, resource}`;
 * `folder` is where the library is installed.
 */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { folder, clientId, clientSecret, assertionClientId, jwk, publicJwk, resource } = JSON.parse(process.argv[2]);
const entry = createRequire(path.join(folder, "index.js")).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(entry).href);

const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const redirectUris = ["https://web.contoso.example/back"];
const grantTypes = ["client_credentials", "authorization_code", "refresh_token"];
const provider = new Provider(`http://localhost:${port}`, {
  clients: [
    { client_id: clientId, client_secret: clientSecret, grant_types: grantTypes, redirect_uris: redirectUris },
    {
      client_id: assertionClientId,
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [publicJwk] },
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    },
  ].map((client) => ({ token_endpoint_auth_method: "client_secret_post", ...client })),
  jwks: { keys: [jwk] },
  cookies: { keys: ["not a secret: the benchmark's own"] },
  scopes: ["openid", "offline_access", "Things.Read"],
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "Things.Read",
        accessTokenTTL: 3600,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
});
server.on("request", provider.callback());

// What a sign-in would leave behind.
const accountId = "ada";
const client = await provider.Client.find(clientId);
const grant = new provider.Grant({ accountId, clientId });
grant.addOIDCScope("openid offline_access");
grant.addResourceScope(resource, "Things.Read");
const grantId = await grant.save();
const common = { accountId, client, grantId, gty: "authorization_code", authTime: Math.floor(Date.now() / 1000) };
const refreshToken = new provider.RefreshToken({
  ...common,
  scope: "openid offline_access Things.Read",
  resource,
  rotations: 0,
  iiat: common.authTime,
});
const opaque = new provider.AccessToken({ ...common, scope: "openid" });
process.stdout.write(
  `${JSON.stringify({ port, refreshToken: await refreshToken.save(), accessToken: await opaque.save() })}\n`,
);
