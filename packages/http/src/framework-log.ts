import { type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { type AccessLog } from "./access-log.ts";

/** What the framework says about its requests: the access line, and failures of ours. */
export class FrameworkLog extends LogController {
  readonly #accessLog: AccessLog;

  constructor(accessLog: AccessLog) {
    super({ requestIdLogLabel: "requestId" });
    this.#accessLog = accessLog;
  }

  /** The line at the end says all that one at the beginning would. */
  override incomingRequest(): void {}

  /** The access line has the status already. */
  override routeNotFound(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    this.#accessLog.write({
      requestId: request.id,
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
