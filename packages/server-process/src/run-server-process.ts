import { CorruptionError, StartError } from "@trefoil/base";
import { type Configuration, loadConfiguration } from "@trefoil/config";
import { createLogger, type Logger } from "@trefoil/http";
import { type CliToken, ensureCliToken, openDataDirectory } from "@trefoil/installation";
import { parseArgs } from "node:util";
import { exitCodes, startErrorExitCodes } from "./exit-codes.ts";
import { findOpenFilesWarning } from "./open-files.ts";
import { publishRunFile } from "./run-file.ts";
import type { ReportedAddress, ServerMessage } from "./supervision.ts";
import { keepTickObject } from "./tick-object.ts";

/** What a server is started with; it reads neither the environment nor the arguments itself. */
export interface ServerContext {
  readonly configuration: Configuration;
  /** Absolute; made already, for the owner only. */
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** Verifies the command line's token, for management interfaces on loopback. */
  readonly cliToken: CliToken;
}

export interface RunningServer {
  readonly addresses: readonly ReportedAddress[];
  /** Finishes what is being answered and closes the stores. */
  close(): Promise<void>;
}

export interface ServerProcess {
  readonly name: "identity" | "objects" | "graph";
  readonly start: (context: ServerContext) => Promise<RunningServer>;
}

/** What closing may take beyond the grace for requests, before the process ends anyway. */
const closeMarginMs = 15_000;

/**
 * Turns a server into a process: arguments (`--config`, `--data-dir`), configuration, log, signals, exit codes and,
 * below a supervisor, the IPC channel. Ends by SIGTERM, by SIGINT when it runs alone, and when its supervisor dies.
 */
export async function runServerProcess({ name, start }: ServerProcess): Promise<void> {
  let server: RunningServer | undefined;
  let logger: Logger | undefined;
  keepTickObject();
  try {
    const { configuration, dataDirectory, warnings } = await prepare();
    logger = createLogger({ name, level: configuration.get("log.level"), pretty: isPretty(configuration) });
    const log = logger;
    if (!isSupervised()) {
      // Below a supervisor the command line says these once for all servers.
      warnings.forEach((warning) => log.warn(warning));
    }
    const stopping = whenToldToStop(log, configuration.get("shutdown.grace") + closeMarginMs);
    endOnUnexpectedErrors(log);
    server = await start({ configuration, dataDirectory, logger, cliToken: await ensureCliToken(dataDirectory) });
    const withdraw = await publishRunFile(dataDirectory, {
      server: name,
      pid: process.pid,
      startedAt: new Date().toISOString(),
      addresses: server.addresses,
    });
    logger.info({ addresses: server.addresses.map(({ url }) => url) }, "ready");
    await tell({ kind: "ready", addresses: server.addresses });

    const reason = await stopping;
    logger.info({ reason }, "stopping");
    await withdraw();
    await server.close();
    logger.info("stopped");
    process.exit(exitCodes.success);
  } catch (thrown) {
    const isStarting = server === undefined;
    const error = isStarting ? asStartError(thrown) : thrown;
    await reportFailure(name, error, isStarting, logger);
    process.exit(error instanceof StartError ? startErrorExitCodes[error.code] : exitCodes.failure);
  }
}

/** What can't be read isn't mended by another start: secrets under a key that isn't there, for one. */
function asStartError(error: unknown): unknown {
  return error instanceof CorruptionError ? new StartError("store", error.message, { cause: error }) : error;
}

async function prepare(): Promise<{ configuration: Configuration; dataDirectory: string; warnings: string[] }> {
  const { values } = parseArguments();
  const configuration = await loadConfiguration({
    file: values.config,
    workingDirectory: process.cwd(),
    environment: process.env,
    ...(values["data-dir"] === undefined ? {} : { overrides: { "data.directory": values["data-dir"] } }),
  });
  const warnings = [...configuration.warnings];
  const dataDirectory = await openDataDirectory(configuration.get("data.directory"), (text) => warnings.push(text));
  const openFiles = await findOpenFilesWarning();
  return { configuration, dataDirectory, warnings: openFiles === undefined ? warnings : [...warnings, openFiles] };
}

function parseArguments(): { values: { config?: string | undefined; "data-dir"?: string | undefined } } {
  try {
    return parseArgs({ options: { config: { type: "string" }, "data-dir": { type: "string" } }, strict: true });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nOptions: --config FILE, --data-dir FOLDER\n`);
    return process.exit(exitCodes.usage);
  }
}

function isPretty(configuration: Configuration): boolean | undefined {
  const format = configuration.get("log.format");
  return format === "auto" ? undefined : format === "pretty";
}

function isSupervised(): boolean {
  return process.send !== undefined;
}

/** Resolves when the message is on its way: a process that ends at once would take it along. */
function tell(message: ServerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) {
      resolve();
    } else {
      process.send(message, () => resolve()); // a supervisor that is gone makes itself known by `disconnect`
    }
  });
}

/** Resolves with the reason once the process is told to stop; a stop that takes too long ends it anyway. */
function whenToldToStop(logger: Logger, limitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const stop = (reason: string): void => {
      resolve(reason);
      setTimeout(() => {
        logger.fatal("closing took too long");
        process.exit(exitCodes.failure);
      }, limitMs).unref();
    };
    process.on("SIGTERM", () => stop("SIGTERM"));
    // Ctrl-C reaches the whole group of a terminal: the supervisor gets it too, and says what happens.
    process.on("SIGINT", () => isSupervised() || stop("SIGINT"));
    process.on("disconnect", () => stop("the supervisor is gone"));
  });
}

/** The state of a process after an unexpected error is unknown: it ends, and the supervisor starts another one. */
function endOnUnexpectedErrors(logger: Logger): void {
  const end = (error: unknown): void => {
    logger.fatal({ err: error }, "unexpected error");
    process.exit(exitCodes.failure);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

/** Start errors are printed at once, without a stack: they are the owner's to mend. */
async function reportFailure(
  name: string,
  error: unknown,
  isStarting: boolean,
  logger: Logger | undefined,
): Promise<void> {
  const isExpected = error instanceof StartError;
  if (!isExpected) {
    logger?.fatal({ err: error }, isStarting ? "the start failed" : "the stop failed");
  }
  if (!isStarting) {
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isSupervised()) {
    await tell({ kind: "start-error", code: isExpected ? error.code : "unexpected", message });
  } else {
    process.stderr.write(`${name}: ${message}\n`);
  }
}
