import { type FastifyInstance } from "fastify";
import { type Endpoint, type EndpointAnswer, type EndpointRequest } from "../protocol/endpoint.ts";
import { parseFormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { secretJson } from "../protocol/json-answer.ts";
import { openToPages } from "../protocol/open-to-pages.ts";
import { ACCESS_TOKEN } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { resolveTenant } from "../tenants/resolve-tenant.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { userInfo } from "./user-info.ts";

const paths: readonly { readonly path: string; readonly version: TokenVersion }[] = [
  { path: "/:tenant/openid/userinfo", version: 1 },
  { path: "/oidc/userinfo", version: 2 },
];

const BEARER = /^bearer +([\w~+/.=-]+) *$/i;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Userinfo of both versions, by GET and by POST with the token in header or body. (OpenID Connect Core §5.3) */
export function userInfoEndpoints(services: IdentityServices): readonly Endpoint[] {
  return paths.map(({ path, version }) => ({
    methods: ["GET", "POST"],
    path,
    answer: async (request, more) => {
      // Single-page clients ask from their own origin; the token is all that counts, no cookie does.
      more["access-control-allow-origin"] = "*";
      if (version === 1) {
        await resolveTenant(services.tenants, request.tenantSegment);
      }
      const token = bearerToken(request);
      if (token === undefined) {
        return refusal("Bearer");
      }
      const judgement = await services.liveTokens.judge(token);
      if (typeof judgement !== "object" || judgement.user === undefined) {
        const reason = typeof judgement === "string" ? judgement : "a token without a user";
        request.log.info({ reason }, "userinfo refused");
        return refusal('Bearer error="invalid_token", error_description="The access token is not valid."');
      }
      return secretJson(userInfo(judgement, judgement.user, version));
    },
  }));
}

/** What else is said at their addresses. */
export function registerUserInfoRoutes(app: FastifyInstance): void {
  for (const { path } of paths) {
    openToPages(app, path, ["GET", "POST"]);
  }
}

/**
 * From the header, else from the body of a form; never from the address, where logs would keep it. (RFC 6750 §2)
 *
 * @throws IdentityError 9002313 when it comes both ways (RFC 6750 §3.1)
 */
function bearerToken({ headers, body }: EndpointRequest): string | undefined {
  const { authorization, "content-type": contentType } = headers;
  const posted = FORM.test(contentType ?? "") ? parseFormBody(contentType, body).find(ACCESS_TOKEN) : undefined;
  if (authorization === undefined) {
    return posted;
  }
  if (posted !== undefined) {
    throw new IdentityError(9002313, { reason: "an access token comes in one way only" });
  }
  return BEARER.exec(authorization)?.[1];
}

/** Without a token the challenge says nothing about errors. (RFC 6750 §3.1) */
function refusal(challenge: string): EndpointAnswer {
  const { headers, body } = secretJson({
    error: "invalid_token",
    error_description: "A valid access token of a user is needed.",
  });
  return { status: 401, headers: { ...headers, "www-authenticate": challenge }, body };
}
