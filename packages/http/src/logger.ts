import { createRequire } from "node:module";
import { type DestinationStream, type Logger, pino } from "pino";
import type { PrettyOptions } from "pino-pretty";
import { LogOutput } from "./log-output.ts";
import { redactFields, scrubText } from "./redaction/redact.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  /** Stands in every line: which server speaks. */
  readonly name: string;
  readonly level: LogLevel;
  /** Lines for people instead of JSON. Default: whether standard output is a terminal. */
  readonly pretty?: boolean | undefined;
  /** Where lines go. Default: standard output, buffered for at most 100 ms. */
  readonly stream?: DestinationStream | undefined;
}

/**
 * A structured log: JSON lines, or lines for people on a terminal. Secrets are replaced by the names in
 * `redaction/secret-names.ts` in the fields of a line, and by their look in its text.
 */
export function createLogger(options: LoggerOptions): Logger {
  const output = options.stream ?? standardOutput();
  return pino(
    {
      name: options.name,
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
      formatters: { level: (label) => ({ level: label }), log: redactFields },
      hooks: { streamWrite: scrubText },
    },
    (options.pretty ?? process.stdout.isTTY) ? prettyOutput(output) : output,
  );
}

let sharedOutput: LogOutput | undefined;

/** One for the process: several loggers must not overtake one another. */
function standardOutput(): LogOutput {
  sharedOutput ??= new LogOutput(process.stdout);
  return sharedOutput;
}

/** Lines for people. Loaded only when used: a server behind a supervisor or in a container never pays for it. */
function prettyOutput(output: DestinationStream): DestinationStream {
  const require = createRequire(import.meta.url);
  const { prettyFactory } = require("pino-pretty") as {
    prettyFactory: (options: PrettyOptions) => (line: string) => string | undefined;
  };
  const prettify = prettyFactory({
    colorize: process.stdout.hasColors?.() ?? false,
    translateTime: "SYS:HH:MM:ss.l",
    ignore: "pid,hostname",
  });
  return { write: (line) => output.write(prettify(line) ?? line) };
}

export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

/** What a log shows of an error: never all its properties, since libraries attach whole requests to them. */
export function describeError(error: unknown, depth = 0): DescribedError {
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
