import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { isLoopbackHost, isLoopbackRequest } from "./loopback.ts";

/** Judges a request for `/metrics` that does not come from this machine. */
export type MetricsGuard = (request: FastifyRequest) => boolean | Promise<boolean>;

/** The server's own registry with what every server measures; servers add theirs. */
export function createMetrics(serverName: string): Registry {
  const metrics = new Registry();
  metrics.setDefaultLabels({ server: serverName });
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 50 });
  return metrics;
}

/** Counts and times requests by method, route and status. */
export interface RequestMetrics {
  /** A request came in. */
  begin(): void;
  /** It was answered, or given up. @param route  a template: a path would be a series per node, blob or user */
  end(method: string, route: string, status: number, durationMs: number): void;
}

export function createRequestMetrics(metrics: Registry): RequestMetrics {
  const labelNames = ["method", "route", "status"] as const;
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's head to the end of the answer",
    labelNames,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [metrics],
  });
  const total = new Counter({
    name: "http_requests_total",
    help: "Requests answered",
    labelNames,
    registers: [metrics],
  });
  let open = 0;
  // Read when somebody asks: setting it at every request would cost more than counting does.
  new Gauge({
    name: "http_requests_in_flight",
    help: "Requests being worked on",
    registers: [metrics],
    collect() {
      this.set(open);
    },
  });
  return {
    begin: () => {
      open += 1;
    },
    end: (method, route, status, durationMs) => {
      open -= 1;
      const labels = { method: knownMethod(method), route, status: String(status) };
      total.inc(labels);
      duration.observe(labels, durationMs / 1000);
    },
  };
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

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "MERGE"]);

/** A caller may send any word as its method; it must not make a series of its own. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : "other";
}
