import { randomUUID } from "node:crypto";
import { type FastifyInstance } from "fastify";
import { type BlobService } from "./service.ts";

/**
 * Puts the blob service at every path of the application that nothing else has taken: `/health/…`, `/metrics` and
 * `/management/…` are registered more precisely and win, so an account or container of those names is only reached
 * by a host name of its own (decisions/0030).
 *
 * Bodies are not parsed: operations read them from the connection as they come.
 */
export function registerBlobService(app: FastifyInstance, service: BlobService): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    scope.all("/*", (request, reply) => {
      reply.hijack();
      void service.serve(request.raw, reply.raw, randomUUID());
    });
    done();
  });
}
