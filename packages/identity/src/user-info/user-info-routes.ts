import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { parseFormBody } from "../protocol/form-body.ts";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { ACCESS_TOKEN } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { userInfo } from "./user-info.ts";

const endpoints: readonly { readonly path: string; readonly version: TokenVersion }[] = [
  { path: "/:tenant/openid/userinfo", version: 1 },
  { path: "/oidc/userinfo", version: 2 },
];

const BEARER = /^bearer +([\w~+/.=-]+) *$/i;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Serves userinfo of both versions, by GET and by POST with the token in header or body. (OpenID Connect Core §5.3) */
export function registerUserInfoRoutes(app: FastifyInstance, services: IdentityServices): void {
  for (const { path, version } of endpoints) {
    app.route({
      method: ["GET", "POST"],
      url: path,
      handler: async (request, reply) => {
        // Single-page clients ask from their own origin; the token is all that counts, no cookie does.
        reply.header("access-control-allow-origin", "*");
        const token = bearerToken(request);
        if (token === undefined) {
          return refuse(reply, "Bearer");
        }
        const judgement = await services.liveTokens.judge(token);
        if (typeof judgement !== "object" || judgement.user === undefined) {
          const reason = typeof judgement === "string" ? judgement : "a token without a user";
          request.log.info({ reason }, "userinfo refused");
          return refuse(reply, 'Bearer error="invalid_token", error_description="The access token is not valid."');
        }
        return reply
          .headers(NEVER_CACHED)
          .type(JSON_TYPE)
          .send(JSON.stringify(userInfo(judgement, judgement.user, version)));
      },
    });
    app.options(path, (_request, reply) =>
      reply
        .headers({
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "GET, POST, OPTIONS",
          "access-control-allow-headers": "authorization, content-type",
          "access-control-max-age": "86400",
        })
        .status(204)
        .send(),
    );
  }
}

/** From the header, else from the body of a form; never from the address, where logs would keep it. (RFC 6750 §2) */
function bearerToken(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    return BEARER.exec(authorization)?.[1];
  }
  const contentType = request.headers["content-type"];
  return typeof request.body === "string" && FORM.test(contentType ?? "")
    ? parseFormBody(contentType, request.body).find(ACCESS_TOKEN)
    : undefined;
}

/** Without a token the challenge says nothing about errors. (RFC 6750 §3.1) */
function refuse(reply: FastifyReply, challenge: string): FastifyReply {
  return reply
    .status(401)
    .headers({ ...NEVER_CACHED, "www-authenticate": challenge })
    .type(JSON_TYPE)
    .send(JSON.stringify({ error: "invalid_token", error_description: "A valid access token of a user is needed." }));
}
