import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { baseUrlOfRequest, errorsBody, JSON_TYPE } from "../protocol/exchange.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type Account } from "./account-store.ts";
import { type Authenticator, PASSWORD_CHANGE_REQUIRED, type Refusal } from "./authenticator.ts";
import { needsCredentials } from "./exempt-paths.ts";
import { isAllowedHost } from "./host-guard.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose request this is; undefined without authentication and on exempt paths. */
    graphAccount: Account | undefined;
  }
}

export interface AccessGuardOptions {
  /** Undefined: authentication is off. */
  readonly authenticator: Authenticator | undefined;
  readonly allowedHosts: readonly string[];
  readonly statusCodePrefix: StatusCodePrefix;
}

/** Refuses what may not be served before anything else of the request is looked at, unknown paths included. */
export function registerAccessGuard(app: FastifyInstance, options: AccessGuardOptions): void {
  const { authenticator, allowedHosts, statusCodePrefix } = options;
  app.decorateRequest("graphAccount", undefined);
  app.addHook("onRequest", async (request, reply) => {
    if (authenticator === undefined) {
      return isAllowedHost(request.headers, allowedHosts) ? undefined : refuse(reply, FOREIGN_HOST, statusCodePrefix);
    }
    const path = pathOf(request);
    if (!needsCredentials(request.method, path)) {
      return undefined;
    }
    const { account, refusal } = await authenticator.authenticate(request.headers.authorization);
    if (account === undefined) {
      return refuse(reply, refusal, statusCodePrefix);
    }
    if (account.passwordChangeRequired && !path.startsWith("/user/")) {
      const passwordChange = `${baseUrlOfRequest(request)}/user/${encodeURIComponent(account.name)}/password`;
      return refuse(reply, PASSWORD_CHANGE_REQUIRED, statusCodePrefix, { password_change: passwordChange });
    }
    request.graphAccount = account;
    return undefined;
  });
}

function refuse(
  reply: FastifyReply,
  refusal: Refusal,
  prefix: StatusCodePrefix,
  more: Readonly<Record<string, string>> = {},
): FastifyReply {
  if (refusal.withChallenge) {
    void reply.header("www-authenticate", "None");
  }
  return reply
    .code(refusal.status)
    .header("content-type", JSON_TYPE)
    .send(errorsBody(`${prefix}.${refusal.code}`, refusal.message, more));
}

function pathOf(request: FastifyRequest): string {
  const { url } = request;
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

const FOREIGN_HOST: Refusal = {
  status: 403,
  code: "ClientError.Security.AuthorizationFailed",
  message:
    "This server has authentication switched off and therefore answers only to requests that name this machine; graph.allowed_hosts names further hosts.",
  withChallenge: false,
};
