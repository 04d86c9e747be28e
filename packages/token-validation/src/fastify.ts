import { type BearerGuardOptions, createBearerGuard } from "./bearer-guard.ts";
import { rememberToken } from "./token-of.ts";

/** What is used of a Fastify request. */
export interface FastifyRequestLike {
  readonly headers: { readonly authorization?: string | undefined };
}

/** What is used of a Fastify reply. */
export interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  headers(headers: Readonly<Record<string, string>>): FastifyReplyLike;
  send(body: unknown): FastifyReplyLike;
}

/**
 * A Fastify hook, for `onRequest` of a route or of everything below, that lets in who has a token for this resource;
 * `tokenOf(request)` has it from then on.
 *
 * @throws TypeError as `createTokenValidator` does
 */
export function requireBearer(
  options: BearerGuardOptions,
): (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown> {
  const judge = createBearerGuard(options);
  return async (request, reply) => {
    const judgement = await judge(request.headers.authorization);
    if ("token" in judgement) {
      rememberToken(request, judgement.token);
      return undefined;
    }
    const { status, headers, body } = judgement.refusal;
    return reply.code(status).headers(headers).send(body);
  };
}
