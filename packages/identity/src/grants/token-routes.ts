import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { refuseOtherMethods } from "../protocol/refuse-other-methods.ts";
import { parseFormBody } from "../protocol/form-body.ts";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { type IdentityServices } from "../services.ts";
import { exchangeToken } from "./token-endpoint.ts";
import { type TokenProfile } from "./token-profile.ts";
import { v1Profile } from "./v1-profile.ts";
import { v2Profile } from "./v2-profile.ts";

const endpoints: readonly { readonly path: string; readonly profile: TokenProfile }[] = [
  { path: "/:tenant/oauth2/token", profile: v1Profile },
  { path: "/:tenant/oauth2/v2.0/token", profile: v2Profile },
];

/** Serves both token endpoints. (identity §4.1) */
export function registerTokenRoutes(app: FastifyInstance, services: IdentityServices): void {
  for (const { path, profile } of endpoints) {
    app.post<{ Params: { tenant: string } }>(path, async (request, reply) => {
      const answer = await exchangeToken({
        services,
        profile,
        tenantSegment: request.params.tenant,
        form: parseFormBody(request.headers["content-type"], bodyText(request)),
        authorization: request.headers.authorization,
      });
      return sendToken(reply, answer);
    });
    refuseOtherMethods(app, path, ["POST"]);
  }
}

function bodyText(request: FastifyRequest): string {
  return typeof request.body === "string" ? request.body : "";
}

function sendToken(reply: FastifyReply, answer: object): FastifyReply {
  return reply.headers(NEVER_CACHED).type(JSON_TYPE).send(JSON.stringify(answer));
}
