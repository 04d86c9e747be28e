import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AccessLog } from "./access-log.ts";
import { requestIdOf } from "./request-id.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/**
 * A service that reads requests and writes answers by itself. Its requests pass by Fastify, whose routing, parsing and
 * hooks cost such a service more than a small answer does; request ids, access log and metrics stay the same.
 */
export interface DirectService {
  /** The route of a request that is its own; undefined for the others, which go to the application. */
  find(request: IncomingMessage): DirectRoute | undefined;
}

export interface DirectRoute {
  /** What metrics call it: the same for all requests of the kind, a path would be a series per node, blob or user. */
  readonly template: string;
  /** Serves one request to its end. Never rejects. */
  serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>;
}

export interface DirectRequestsOptions {
  readonly service: DirectService;
  readonly accessLog: AccessLog;
  readonly metrics: RequestMetrics;
  /** Asked at every request: whether its connection has to end with it. */
  readonly isClosing: () => boolean;
  /** Gets what the service does not take. */
  readonly otherwise: RequestListener;
}

/** A listener for requests that gives a service its own and the application all others. */
export function directRequests(options: DirectRequestsOptions): RequestListener {
  const { service, otherwise } = options;
  return (request, response) => {
    const route = service.find(request);
    if (route === undefined) {
      otherwise(request, response);
    } else {
      serveDirectly(route, request, response, options);
    }
  };
}

function serveDirectly(
  route: DirectRoute,
  request: IncomingMessage,
  response: ServerResponse,
  { accessLog, metrics, isClosing }: DirectRequestsOptions,
): void {
  const beganMs = performance.now();
  const requestId = requestIdOf(request);
  if (isClosing()) {
    response.shouldKeepAlive = false;
  }
  metrics.begin();
  // Comes after the last byte and when the client has gone, once either way.
  response.on("close", () => {
    const durationMs = performance.now() - beganMs;
    const { method = "", url = "" } = request;
    const { statusCode: status, writableFinished } = response;
    const { remoteAddress } = request.socket;
    metrics.end(method, route.template, status, durationMs);
    accessLog.write({ requestId, method, url, status, durationMs, remoteAddress, aborted: !writableFinished });
  });
  void route.serve(request, response, requestId);
}
