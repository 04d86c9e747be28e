import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from "fastify";
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
    logRequest(request.log, {
      method: request.method,
      url: request.url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      remoteAddress: request.raw.socket.remoteAddress,
      aborted: !reply.raw.writableFinished,
      error,
    });
  }

  /** A request that failed by our fault is an error with its stack; the caller's faults are in the access line. */
  override defaultErrorLog(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode >= 500) {
      reply.log.error({ err: error }, "request failed");
    }
  }
}

/** What the line about a request says. */
export interface LoggedRequest {
  /** Where the logger doesn't add it by itself. */
  readonly requestId?: string;
  readonly method: string;
  /** As sent; the line has it without its secrets. */
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  readonly remoteAddress: string | undefined;
  /** The client went before all of the answer had left. */
  readonly aborted: boolean;
  readonly error?: Error | null;
}

/** Writes the access line of one request. */
export function logRequest(logger: Pick<FastifyBaseLogger, "debug" | "info">, request: LoggedRequest): void {
  const { requestId, method, url, status, durationMs, remoteAddress, aborted, error } = request;
  const level = quietPaths.has(url) ? "debug" : "info";
  // One literal, without spreads: they cost more than the rest of the line. What is undefined is left out.
  logger[level](
    {
      requestId,
      method,
      url: scrubUrl(url),
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      remoteAddress,
      err: error ?? undefined,
      aborted: aborted ? true : undefined,
    },
    "request",
  );
}
