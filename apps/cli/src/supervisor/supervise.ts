import { openDataDirectory } from "@trefoil/installation";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";
import type { ServerName } from "../server-names.ts";
import { becomeSupervisor } from "./running.ts";
import { type FirstStart, Supervisor } from "./supervisor.ts";

export interface Supervise {
  readonly servers: readonly ServerName[];
  readonly isDetached: boolean;
  readonly writeLog?: ((chunk: Buffer) => void) | undefined;
  readonly report: (line: string) => void;
  /** All servers are ready for the first time. */
  readonly onReady: (dataDirectory: string, started: Extract<FirstStart, { kind: "ready" }>) => void;
}

/** Ctrl-C arrives several times at once (from the terminal and from npm): only a later one means "now". */
const impatienceMs = 1_000;

/**
 * Supervises until the process is told to stop. A server that cannot be started the first time ends the others too;
 * later ones end alone.
 *
 * @throws CommandFailure when a first start fails or every server has failed, StartError when the folder is in use
 */
export async function supervise(context: CommandContext, options: Supervise): Promise<void> {
  const configuration = await context.configuration();
  const dataDirectory = await openDataDirectory(configuration.get("data.directory"), (warning) =>
    context.warn(`WARNING: ${warning}`),
  );
  const told = stopSignal();
  const held = await becomeSupervisor(dataDirectory, {
    pid: process.pid,
    servers: options.servers,
    configurationFile: configuration.file,
    isDetached: options.isDetached,
  });
  const supervisor = new Supervisor({
    servers: options.servers,
    arguments: [
      ...(configuration.file === undefined ? [] : ["--config", configuration.file]),
      "--data-dir",
      dataDirectory,
    ],
    writeLog: options.writeLog,
    report: options.report,
  });
  told.onImpatience(() => supervisor.kill());
  try {
    supervisor.start();
    const first = await Promise.race([supervisor.firstStart, told.once]);
    if (first === "stop") {
      return;
    }
    if (first.kind === "failed") {
      throw new CommandFailure(`${first.server}: ${first.message}`, first.exitCode);
    }
    options.onReady(dataDirectory, first);
    const end = await Promise.race([supervisor.nothingLeft, told.once]);
    if (end !== "stop") {
      throw new CommandFailure("every server has failed", end);
    }
  } finally {
    await supervisor.stop();
    await held.release();
    told.dispose();
  }
}

interface StopSignal {
  readonly once: Promise<"stop">;
  onImpatience(act: () => void): void;
  dispose(): void;
}

function stopSignal(): StopSignal {
  let impatient: () => void = () => undefined;
  let firstAtMs: number | undefined;
  let resolve: (value: "stop") => void = () => undefined;
  const once = new Promise<"stop">((given) => (resolve = given));
  const stop = (): void => {
    firstAtMs ??= Date.now();
    resolve("stop");
    if (Date.now() - firstAtMs > impatienceMs) {
      impatient();
    }
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  signals.forEach((signal) => process.on(signal, stop));
  return {
    once,
    onImpatience: (act) => (impatient = act),
    dispose: () => signals.forEach((signal) => process.off(signal, stop)),
  };
}
