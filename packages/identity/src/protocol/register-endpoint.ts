import { type FastifyInstance, type FastifyReply } from "fastify";
import { type Endpoint, type EndpointAnswer, type EndpointRequest } from "./endpoint.ts";
import { exchangeOf } from "./http-protocol.ts";
import { bodyOf } from "./request-text.ts";

/** Serves an endpoint through the framework, which knows all spellings of its path. */
export function registerEndpoint(app: FastifyInstance, { methods, path, errorWord, answer }: Endpoint): void {
  app.route<{ Params: { tenant?: string } }>({
    method: [...methods],
    url: path,
    ...(errorWord === undefined ? {} : { config: { errorWord } }),
    handler: async (request, reply) => {
      const more: Record<string, string> = {};
      const asked = {
        tenantSegment: request.params.tenant ?? "",
        headers: request.headers,
        body: bodyOf(request),
        ipAddress: request.ip,
        exchange: exchangeOf(request),
        log: request.log,
      };
      const answered = await answerOf(answer, asked, more, reply);
      return reply
        .status(answered.status ?? 200)
        .headers(answered.headers)
        .send(answered.body);
    },
  });
}

/** With the further headers on the reply before it is sent, also when the answer is a refusal. */
async function answerOf(
  answer: Endpoint["answer"],
  asked: EndpointRequest,
  more: Record<string, string>,
  reply: FastifyReply,
): Promise<EndpointAnswer> {
  try {
    return await answer(asked, more);
  } finally {
    void reply.headers(more);
  }
}
