import { type FastifyInstance } from "fastify";
import { type Endpoint } from "./endpoint.ts";
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
      // On the reply before it is sent, also when the answer is a refusal.
      const {
        status = 200,
        headers,
        body,
      } = await answer(asked, more).finally(() => {
        // No value: a reply can be waited for, and would be.
        reply.headers(more);
      });
      return reply.status(status).headers(headers).send(body);
    },
  });
}
