import { type FastifyInstance } from "fastify";
import { recordTokenRequest } from "../audit/record-token-request.ts";
import { type Endpoint } from "../protocol/endpoint.ts";
import { type FormBody, parseFormBody } from "../protocol/form-body.ts";
import { secretJson } from "../protocol/json-answer.ts";
import { CLIENT_ID } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { exchangeToken } from "./token-endpoint.ts";
import { type TokenProfile } from "./token-profile.ts";
import { v1Profile } from "./v1-profile.ts";
import { v2Profile } from "./v2-profile.ts";

const profiles: readonly { readonly path: string; readonly profile: TokenProfile }[] = [
  { path: "/:tenant/oauth2/token", profile: v1Profile },
  { path: "/:tenant/oauth2/v2.0/token", profile: v2Profile },
];

/** Both token endpoints. (identity §4.1) */
export function tokenEndpoints(services: IdentityServices): readonly Endpoint[] {
  return profiles.map(({ path, profile }) => ({
    methods: ["POST"],
    path,
    answer: async (request, more) => {
      const { tenantSegment, headers, ipAddress } = request;
      const { origin, authorization } = headers;
      const form = parseFormBody(headers["content-type"], request.body);
      if (origin !== undefined) {
        Object.assign(more, await headersForOwnPages(services, form, origin));
      }
      const exchange = { services, profile, tenantSegment, form, authorization, origin, ipAddress };
      return secretJson(
        profile.render(await recordTokenRequest(services, request, form, () => exchangeToken(exchange))),
      );
    },
  }));
}

/** What else is said at the addresses of the token endpoints. */
export function registerTokenRoutes(app: FastifyInstance): void {
  for (const { path } of profiles) {
    answerPreflights(app, path);
  }
}

/**
 * Lets the pages of a single-page application read the answer, refusals too. Other pages may send what they like but
 * learn nothing. (reference §2)
 */
async function headersForOwnPages(
  services: IdentityServices,
  form: FormBody,
  origin: string,
): Promise<Record<string, string>> {
  const clientId = form.find(CLIENT_ID);
  const client = clientId === undefined ? undefined : await services.applications.findByAppId(clientId);
  const redirectUris = client?.document.redirectUris ?? [];
  return redirectUris.some((each) => each.type === "spa" && isOfOrigin(each.uri, origin))
    ? { "access-control-allow-origin": origin, vary: "Origin" }
    : {};
}

/** Any port of `localhost` is the same, as it is for reply addresses. */
function isOfOrigin(redirectUri: string, origin: string): boolean {
  const registered = new URL(redirectUri);
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
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
