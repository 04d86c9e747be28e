import { type FastifyInstance } from "fastify";

/**
 * Answers the question of browsers whether a page of any origin may ask at an address. Only for what needs no cookie:
 * public documents, and answers to a token that the page holds itself.
 */
export function openToPages(app: FastifyInstance, path: string, methods: readonly string[]): void {
  app.options(path, (request, reply) =>
    reply
      .headers({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": [...methods, "OPTIONS"].join(", "),
        "access-control-allow-headers":
          request.headers["access-control-request-headers"] ?? "authorization, content-type",
        "access-control-max-age": "86400",
        vary: "Access-Control-Request-Headers",
      })
      .status(204)
      .send(),
  );
}
