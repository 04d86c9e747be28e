import type { FastifyInstance, FastifyRequest } from "fastify";
import { Registry } from "prom-client";
import { isLoopbackHost, isLoopbackRequest } from "./loopback.ts";
import { registerProcessMetrics } from "./process-metrics.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/** Judges a request for `/metrics` that does not come from this machine. */
export type MetricsGuard = (request: FastifyRequest) => boolean | Promise<boolean>;

/** The server's own registry with what every server measures; servers add theirs. */
export function createMetrics(serverName: string): Registry {
  const metrics = new Registry();
  metrics.setDefaultLabels({ server: serverName });
  registerProcessMetrics(metrics);
  return metrics;
}

/** Measures every request of the application, by its route's template. */
export function registerMetrics(app: FastifyInstance, metrics: RequestMetrics): void {
  app.addHook("onRequest", (_request, _reply, done) => {
    metrics.begin();
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    metrics.end(request.method, request.routeOptions.url ?? "not found", reply.statusCode, reply.elapsedTime);
    done();
  });
}

/** Serves a registry in Prometheus' text format at `/metrics`, to this machine and whom the guard lets in. */
export function registerMetricsRoute(app: FastifyInstance, metrics: Registry, guard: MetricsGuard | undefined): void {
  app.get("/metrics", async (request, reply) => {
    const isLocal = isLoopbackRequest(request.raw) && isLoopbackHost(request.headers.host);
    if (!isLocal && !((await guard?.(request)) ?? false)) {
      return reply
        .code(403)
        .type("text/plain; charset=utf-8")
        .send("Metrics are for this machine and administrators.\n");
    }
    return reply
      .header("cache-control", "no-store")
      .type(metrics.contentType)
      .send(await metrics.metrics());
  });
}
