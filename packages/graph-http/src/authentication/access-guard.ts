import { type FastifyInstance, type FastifyReply } from "fastify";
import { baseUrlOfRequest } from "../protocol/exchange.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type AccessGate } from "./access-gate.ts";
import { type Account } from "./account-store.ts";
import { type Refusal } from "./authenticator.ts";
import { refusalAnswer } from "./refusal-answer.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose request this is; undefined without authentication and on exempt paths. */
    graphAccount: Account | undefined;
  }
}

/** Refuses what may not be served before anything else of the request is looked at, unknown paths included. */
export function registerAccessGuard(app: FastifyInstance, gate: AccessGate, prefix: StatusCodePrefix): void {
  app.decorateRequest("graphAccount", undefined);
  app.addHook("onRequest", async (request, reply) => {
    const { method, headers } = request;
    const verdict = await gate.judge({ method, path: pathOf(request.url), headers });
    if (verdict.refusal !== undefined) {
      return refuse(reply, verdict.refusal, prefix);
    }
    request.graphAccount = verdict.account;
    return undefined;
  });
}

function refuse(reply: FastifyReply, refusal: Refusal, prefix: StatusCodePrefix): FastifyReply {
  const { headers, body } = refusalAnswer(refusal, prefix, baseUrlOfRequest(reply.request));
  return reply.code(refusal.status).headers(headers).send(body);
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
