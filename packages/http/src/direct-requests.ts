import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { logRequest } from "./access-log.ts";
import type { RequestMetrics } from "./metrics.ts";
import { requestIdOf } from "./request-id.ts";

/**
 * A service that reads requests and writes answers by itself. Its requests pass by Fastify, whose routing, parsing and
 * hooks cost such a service more than a small answer does; request ids, access log and metrics stay the same.
 */
export interface DirectService {
  /** Whether a request is its own; the others go to the application. */
  takes(request: IncomingMessage): boolean;
  /** Serves one request to its end. Never rejects. */
  serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>;
}

export interface DirectRequestsOptions {
  readonly service: DirectService;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  /** Asked at every request: whether its connection has to end with it. */
  readonly isClosing: () => boolean;
  /** Gets what the service does not take. */
  readonly otherwise: RequestListener;
}

/** The label that stands for the service in metrics. */
const ROUTE = "/*";

/** A listener for requests that gives a service its own and the application all others. */
export function directRequests(options: DirectRequestsOptions): RequestListener {
  const { service, otherwise } = options;
  return (request, response) => {
    if (service.takes(request)) {
      serveDirectly(request, response, options);
    } else {
      otherwise(request, response);
    }
  };
}

function serveDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  { service, logger, metrics, isClosing }: DirectRequestsOptions,
): void {
  const beganMs = performance.now();
  const requestId = requestIdOf(request);
  if (isClosing()) {
    response.shouldKeepAlive = false;
  }
  metrics.begin();
  // Comes after the last byte and when the client has gone, once either way.
  response.once("close", () => {
    const durationMs = performance.now() - beganMs;
    const { method = "", url = "" } = request;
    metrics.end(method, ROUTE, response.statusCode, durationMs);
    if (logger.isLevelEnabled("info")) {
      const { statusCode: status, writableFinished } = response;
      const { remoteAddress } = request.socket;
      logRequest(logger, { requestId, method, url, status, durationMs, remoteAddress, aborted: !writableFinished });
    }
  });
  void service.serve(request, response, requestId);
}
