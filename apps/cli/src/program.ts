import { StartError } from "@trefoil/base";
import { startErrorExitCodes } from "@trefoil/server-process/exit-codes";
import { Command, CommanderError } from "commander";
import { readFileSync } from "node:fs";
import { CommandFailure, exitCodes } from "./command-failure.ts";
import { addConfigCommands } from "./commands/config.ts";
import { addCredentialsCommands } from "./commands/credentials.ts";
import { addInfoCommand } from "./commands/info.ts";
import { addStartCommand } from "./commands/start.ts";
import { addStatusCommand } from "./commands/status.ts";
import { addRestartCommand, addStopCommand } from "./commands/stop.ts";
import { addTlsCommands } from "./commands/tls.ts";
import type { CommandContext } from "./command-context.ts";
import { createContext } from "./create-context.ts";
import { addGraphCommands } from "./graph/commands.ts";
import { addIdentityCommands } from "./identity/commands.ts";
import { addObjectsCommands } from "./objects/commands.ts";

/** The parts of the program, in the order of the help. */
const parts: readonly ((program: Command, context: CommandContext) => void)[] = [
  addStartCommand,
  addStopCommand,
  addRestartCommand,
  addStatusCommand,
  addInfoCommand,
  addConfigCommands,
  addTlsCommands,
  addCredentialsCommands,
  addIdentityCommands,
  addObjectsCommands,
  addGraphCommands,
];

/** The `trefoil` command with all its words. */
export function createProgram(): Command {
  const program = new Command("trefoil")
    .description("An identity provider, an object store and a graph database: three servers from one stem.")
    .version(readVersion(), "-V, --version", "print the version")
    .option("--config <file>", "configuration file (default: trefoil.properties in the working directory)")
    .option("--data-dir <folder>", "data folder (default: the key data.directory)")
    .option("--json", "print JSON instead of tables")
    .helpOption("-h, --help", "print this help")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help lists what is possible)")
    .addHelpText(
      "after",
      `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not running, 4 not ready in time,
10 configuration, 11 data folder in use, 12 port, 13 store.

Examples:
  trefoil start                         all three servers, in the foreground
  trefoil start --detach                in the background
  trefoil start --only graph            one of them
  trefoil status
  trefoil app create my-app --help      help for one command`,
    )
    .exitOverride();
  const context = createContext(() => program.opts());
  for (const add of parts) {
    add(program, context);
  }
  return program;
}

/**
 * Runs one command line.
 *
 * @param words  without the program's own name
 * @returns      the exit code
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that has seen enough (`| head`) is no failure, and must not end a supervisor.
    stream.on("error", () => undefined);
  }
  try {
    const program = createProgram();
    letThrow(program);
    await program.parseAsync(words, { from: "user" });
    return typeof process.exitCode === "number" ? process.exitCode : exitCodes.success;
  } catch (error) {
    return explain(error);
  }
}

/** Commands end by throwing, at every level, so that output is complete before the process ends. */
function letThrow(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) {
    letThrow(child);
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander printed its message already; help and version are no failure.
    return error.exitCode === 0 || error.code === "commander.help" ? error.exitCode : exitCodes.usage;
  }
  if (error instanceof CommandFailure) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof StartError) {
    process.stderr.write(`${error.message}\n`);
    return startErrorExitCodes[error.code];
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return exitCodes.failure;
}

function readVersion(): string {
  const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
