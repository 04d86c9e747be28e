import type { FastifyInstance } from "fastify";

/** `/health/live`: the process answers. `/health/ready`: it takes work (503 while starting or stopping). */
export function registerHealth(app: FastifyInstance, isReady: () => boolean): void {
  app.get("/health/live", (_request, reply) => reply.header("cache-control", "no-store").send({ status: "live" }));
  app.get("/health/ready", (_request, reply) => {
    const ready = isReady();
    return reply
      .header("cache-control", "no-store")
      .code(ready ? 200 : 503)
      .send({ status: ready ? "ready" : "not ready" });
  });
}
