import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { recordTokenRequest } from "../audit/record-token-request.ts";
import { type FormBody, parseFormBody } from "../protocol/form-body.ts";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { CLIENT_ID } from "../protocol/parameters.ts";
import { refuseOtherMethods } from "../protocol/refuse-other-methods.ts";
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
      const form = parseFormBody(request.headers["content-type"], bodyText(request));
      const { origin, authorization } = request.headers;
      await allowOwnPages(services, form, origin, reply);
      const tenantSegment = request.params.tenant;
      const answer = await recordTokenRequest(services, request, form, () =>
        exchangeToken({ services, profile, tenantSegment, form, authorization, origin, ipAddress: request.ip }),
      );
      return reply.headers(NEVER_CACHED).type(JSON_TYPE).send(JSON.stringify(answer));
    });
    answerPreflights(app, path);
    refuseOtherMethods(app, path, ["POST"]);
  }
}

function bodyText(request: FastifyRequest): string {
  return typeof request.body === "string" ? request.body : "";
}

/**
 * Lets the pages of a single-page application read the answer, refusals too. Other pages may send what they like but
 * learn nothing. (reference §2)
 */
async function allowOwnPages(
  services: IdentityServices,
  form: FormBody,
  origin: string | undefined,
  reply: FastifyReply,
): Promise<void> {
  const clientId = origin === undefined ? undefined : form.find(CLIENT_ID);
  const client = clientId === undefined ? undefined : await services.applications.findByAppId(clientId);
  const redirectUris = client?.document.redirectUris ?? [];
  if (redirectUris.some((each) => each.type === "spa" && isOfOrigin(each.uri, origin))) {
    reply.headers({ "access-control-allow-origin": origin, vary: "Origin" });
  }
}

/** Any port of `localhost` is the same, as it is for reply addresses. */
function isOfOrigin(redirectUri: string, origin: string | undefined): boolean {
  const registered = new URL(redirectUri);
  const page = origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined;
  const isLocal = registered.protocol === "http:" && registered.hostname === "localhost";
  return (
    registered.origin === origin ||
    (isLocal && page?.protocol === "http:" && page.hostname === "localhost" && page.origin === origin)
  );
}

/**
 * A browser asks first whether a page may send its request at all. Which client it is for isn't known yet, so every page
 * may send; whether it may read is decided by the answer itself. Without that question OPTIONS is a wrong method.
 */
function answerPreflights(app: FastifyInstance, path: string): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    const isPreflight = request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
    if (isPreflight && origin !== undefined && request.routeOptions.url === path) {
      reply
        .headers({
          "access-control-allow-origin": origin,
          "access-control-allow-methods": "POST, OPTIONS",
          "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "content-type",
          "access-control-max-age": "86400",
          vary: "Origin, Access-Control-Request-Headers",
        })
        .status(204)
        .send();
      return;
    }
    done();
  });
}
