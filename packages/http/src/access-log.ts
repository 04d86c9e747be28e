import { type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { scrubUrl } from "./redaction/redact.ts";

/** Paths that machines ask for every few seconds; their lines are at debug. */
const quietPaths: ReadonlySet<string> = new Set(["/health/live", "/health/ready", "/metrics"]);

/** One line per answered or abandoned request, at info, with the secrets of its query replaced. */
export class AccessLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: "requestId" });
  }

  /** The line at the end says all that one at the beginning would. */
  override incomingRequest(): void {}

  /** The access line has the status already. */
  override routeNotFound(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const level = quietPaths.has(request.url) ? "debug" : "info";
    request.log[level](
      {
        method: request.method,
        url: scrubUrl(request.url),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        remoteAddress: request.raw.socket.remoteAddress,
        ...(error ? { err: error } : {}),
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
      },
      "request",
    );
  }

  /** A request that failed by our fault is an error with its stack; the caller's faults are in the access line. */
  override defaultErrorLog(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode >= 500) {
      reply.log.error({ err: error }, "request failed");
    }
  }
}
