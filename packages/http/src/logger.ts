import { createRequire } from "node:module";
import { type DestinationStream, destination, type Logger, pino } from "pino";
import type { PrettyOptions } from "pino-pretty";
import { redactFields, scrubText } from "./redaction/redact.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  /** Stands in every line: which server speaks. */
  readonly name: string;
  readonly level: LogLevel;
  /** Lines for people instead of JSON. Default: whether standard output is a terminal. */
  readonly pretty?: boolean | undefined;
  /** Where lines go. Default: standard output, buffered for at most 200 ms. */
  readonly stream?: DestinationStream | undefined;
}

/**
 * A structured log: JSON lines, or lines for people on a terminal. Secrets are replaced by the names in
 * `redaction/secret-names.ts` in the fields of a line, and by their look in its text.
 */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      name: options.name,
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
      formatters: { level: (label) => ({ level: label }), log: redactFields },
      hooks: { streamWrite: scrubText },
    },
    (options.pretty ?? process.stdout.isTTY) ? prettyStream(options.stream) : (options.stream ?? bufferedOutput()),
  );
}

function bufferedOutput(): DestinationStream {
  return destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 });
}

/** Loaded only when it is used: a server behind a supervisor or in a container never pays for it. */
function prettyStream(stream: DestinationStream | undefined): DestinationStream {
  const require = createRequire(import.meta.url);
  const pretty = require("pino-pretty") as (options: PrettyOptions) => DestinationStream;
  return pretty({
    colorize: stream === undefined,
    translateTime: "SYS:HH:MM:ss.l",
    ignore: "pid,hostname",
    ...(stream === undefined ? { sync: true } : { destination: stream as never }),
  });
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

/** What a log shows of an error: never all its properties, since libraries attach whole requests to them. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: String(error) };
  }
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(detail === undefined ? {} : { detail }),
    stack: error.stack,
    ...(error.cause === undefined || depth > 4 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
