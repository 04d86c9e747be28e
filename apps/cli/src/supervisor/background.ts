import { makePrivateDirectory, openDataDirectory } from "@trefoil/installation";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure, exitCodes } from "../command-failure.ts";
import { commandFile } from "../main-files.ts";
import type { ReportedAddress } from "@trefoil/server-process/supervision";
import type { ServerName } from "../server-names.ts";
import { LogFile, logFileOf, readLastLines } from "./log-file.ts";
import { renderOverview } from "./overview.ts";
import { supervise } from "./supervise.ts";

/** The word by which the command starts itself again behind the scenes. */
export const backgroundOption = "--background";

export interface StartInBackground {
  readonly servers: readonly ServerName[];
  readonly configurationFile?: string | undefined;
  readonly waitSeconds: number;
}

/** What the process in the background says to the one that waits for it. */
type BackgroundMessage =
  | { readonly kind: "ready"; readonly addresses: readonly (readonly [ServerName, readonly ReportedAddress[]])[] }
  | { readonly kind: "failed"; readonly message: string; readonly exitCode: number };

const shownLogLines = 20;

/**
 * Starts a supervisor in the background and waits until its servers are ready.
 *
 * @throws CommandFailure with the last log lines when they are not in time; nothing is left running then
 */
export async function startInBackground(context: CommandContext, options: StartInBackground): Promise<void> {
  const dataDirectory = await openDataDirectory(await context.dataDirectory());
  const logFile = logFileOf(dataDirectory);
  await makePrivateDirectory(path.dirname(logFile));
  // What the supervisor itself says when it dies; its servers' lines go through it into the log file.
  const crashFile = path.join(path.dirname(logFile), "supervisor.log");
  const output = openSync(crashFile, "w", 0o600);
  const { configurationFile, servers, waitSeconds } = options;
  const words = ["start", backgroundOption, "--only", servers.join(","), "--data-dir", dataDirectory];
  const child = spawn(
    process.execPath,
    [commandFile, ...words, ...(configurationFile === undefined ? [] : ["--config", configurationFile])],
    { detached: true, stdio: ["ignore", output, output, "ipc"] },
  );
  closeSync(output);
  const answered = once(child, "message").then(([message]) => message as BackgroundMessage);
  const ended = once(child, "exit").then(([code]): BackgroundMessage => ({
    kind: "failed",
    message: readLastLines(crashFile, shownLogLines).join("\n"),
    exitCode: (code as number | null) ?? exitCodes.failure,
  }));
  const timer = new AbortController();
  const late = delay(waitSeconds * 1000, "late" as const, { signal: timer.signal }).catch(() => "late" as const);
  const outcome = await Promise.race([answered, ended, late]);
  timer.abort();
  if (outcome === "late") {
    child.kill("SIGTERM");
    const lines = [...readLastLines(logFile, shownLogLines), `The whole log: ${logFile}`].join("\n");
    await Promise.race([ended, delay(10_000)]);
    throw new CommandFailure(`Failed to start within ${waitSeconds} seconds.\n${lines}`, exitCodes.notReadyInTime);
  }
  if (outcome.kind === "failed") {
    throw new CommandFailure(outcome.message, outcome.exitCode);
  }
  if (child.connected) {
    child.disconnect();
  }
  child.unref();
  if (context.wantsJson) {
    context.printJson({ pid: child.pid, dataDirectory, servers: Object.fromEntries(outcome.addresses) });
    return;
  }
  context.print(renderOverview(dataDirectory, new Map(outcome.addresses)));
  context.print(`\nRunning in the background (process ${child.pid}), log in ${logFile}. Stop: npx trefoil stop`);
}

/** The process in the background. */
export async function superviseInBackground(context: CommandContext, servers: readonly ServerName[]): Promise<void> {
  const log = new LogFile(logFileOf(await context.dataDirectory()));
  const report = (message: string): void =>
    log.write(
      Buffer.from(
        `${JSON.stringify({ level: "warn", time: new Date().toISOString(), name: "supervisor", msg: message })}\n`,
      ),
    );
  try {
    await supervise(context, {
      servers,
      isDetached: true,
      writeLog: (chunk) => log.write(chunk),
      report,
      onReady: (_dataDirectory, { addresses }) => tell({ kind: "ready", addresses: [...addresses] }),
    });
  } finally {
    log.close();
  }
}

function tell(message: BackgroundMessage): void {
  if (process.connected) {
    process.send?.(message);
  }
}
