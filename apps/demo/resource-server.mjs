import { createServer } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";

/**
 * A protected service: answers who the caller is to those who bring a token for `audience` from `authority`. Everything
 * it knows of the provider it learns by discovery.
 *
 * @param {{ authority: string, audience: string }} expected
 */
export async function startResourceServer({ authority, audience }) {
  const metadata = await (await fetch(`${authority}/.well-known/openid-configuration`)).json();
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));

  const server = createServer(async (request, response) => {
    try {
      const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const { payload } = await jwtVerify(token, keys, { issuer: metadata.issuer, audience, algorithms: ["RS256"] });
      response.end(`hello, ${payload.appid}`);
    } catch (error) {
      response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end(error.code);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
