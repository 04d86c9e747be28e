import { type DestinationStream, type Logger, pino } from "pino";
import { describeError } from "./logger.ts";
import { redactFields, scrubText, scrubUrl } from "./redaction/redact.ts";

/** Paths that machines ask for every few seconds; their lines are at debug. */
const quietPaths: readonly string[] = ["/health/live", "/health/ready", "/metrics"];

/** What the line about a request says. */
export interface LoggedRequest {
  /** A UUID, or as harmless. */
  readonly requestId: string;
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

/**
 * One line per answered or abandoned request, at info, with the secrets of its query replaced. The lines are the
 * logger's, but put together here: they always have the same few members, and the logger's way, which looks for secrets
 * in all of them, costs several times as much.
 */
export class AccessLog {
  readonly #logger: Logger;
  readonly #output: DestinationStream;
  /** What all lines of the logger say: the process, and the server's name. */
  readonly #bindings: string;
  readonly #now: () => number;
  /** The time as a line has it, of the last millisecond that one was written in: under load many share theirs. */
  #time = "";
  #timeMs = -1;

  constructor(logger: Logger, now: () => number = Date.now) {
    this.#logger = logger;
    this.#now = now;
    this.#output = (logger as unknown as Readonly<Record<symbol, DestinationStream>>)[
      pino.symbols.streamSym
    ] as DestinationStream;
    this.#bindings = JSON.stringify(logger.bindings()).slice(1, -1);
  }

  write({ requestId, method, url, status, durationMs, remoteAddress, aborted, error }: LoggedRequest): void {
    // Compared, not looked up: for that the whole of a long URL would be hashed.
    const level = quietPaths.includes(url) ? "debug" : "info";
    if (!this.#logger.isLevelEnabled(level)) {
      return;
    }
    const from = remoteAddress === undefined ? "" : `,"remoteAddress":"${remoteAddress}"`;
    const failure = error instanceof Error ? `,${failureMember(error)}` : "";
    this.#output.write(
      `{"level":"${level}","time":"${this.#timeText()}",${this.#bindings},"requestId":"${requestId}",` +
        `"method":"${method}","url":${JSON.stringify(scrubText(scrubUrl(url)))},"status":${status},` +
        `"durationMs":${Math.round(durationMs * 100) / 100}${from}${failure}${aborted ? ',"aborted":true' : ""},` +
        `"msg":"request"}\n`,
    );
  }

  #timeText(): string {
    const nowMs = this.#now();
    if (nowMs !== this.#timeMs) {
      this.#timeMs = nowMs;
      this.#time = new Date(nowMs).toISOString();
    }
    return this.#time;
  }
}

function failureMember(error: Error): string {
  return scrubText(JSON.stringify(redactFields({ err: describeError(error) })).slice(1, -1));
}
