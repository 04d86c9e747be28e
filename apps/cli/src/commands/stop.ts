import type { Configuration } from "@trefoil/config";
import { findDirectoryHolder } from "@trefoil/installation";
import type { Command } from "commander";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure, exitCodes } from "../command-failure.ts";
import { type ServerName, serverNames } from "../server-names.ts";
import { findSupervisors, readServerState, type SupervisorFile } from "../supervisor/running.ts";
import { startInBackground } from "../supervisor/background.ts";
import { waitOption } from "./start.ts";

/** Longer than a server may take to end (requests, stores) before its supervisor kills it. */
const patienceMs = 90_000;

/** `stop`. */
export function addStopCommand(program: Command, context: CommandContext): void {
  program
    .command("stop")
    .description("stop the servers of this data folder in order and wait until they have ended")
    .addHelpText("after", "\nExit codes: 0 stopped, 3 nothing was running.")
    .action(async () => {
      const stopped = await stopAll(await context.configuration());
      if (stopped.pids.length === 0) {
        context.fail(`Trefoil is not running on ${await context.dataDirectory()}`, exitCodes.notRunning);
      }
      if (context.wantsJson) {
        context.printJson({ stopped: stopped.pids });
      } else {
        context.print(`Stopped (process ${stopped.pids.join(", ")}).`);
      }
    });
}

/** `restart`. */
export function addRestartCommand(program: Command, context: CommandContext): void {
  program
    .command("restart")
    .description("stop what runs on this data folder and start the same servers again, in the background")
    .addOption(waitOption())
    .action(async ({ wait }: { wait: number }) => {
      const { supervisors } = await stopAll(await context.configuration());
      const servers = supervisors.flatMap((supervisor) => supervisor.servers);
      await startInBackground(context, {
        servers: servers.length === 0 ? serverNames : serverNames.filter((server) => servers.includes(server)),
        configurationFile: (await context.configuration()).file ?? supervisors[0]?.configurationFile,
        waitSeconds: wait,
      });
    });
}

interface Stopped {
  readonly pids: readonly number[];
  readonly supervisors: readonly SupervisorFile[];
}

/** Ends every supervisor with its servers, and servers that run without one. */
async function stopAll(configuration: Configuration): Promise<Stopped> {
  const dataDirectory = configuration.get("data.directory");
  const supervisors = await findSupervisors(dataDirectory);
  const alone: number[] = [];
  for (const server of serverNames) {
    const state = await readServerState(dataDirectory, server);
    if (state.state === "running" && state.supervisorPid === undefined) {
      // The number in the file may be another process's by now: only the lock proves that it is ours.
      const holder = await findDirectoryHolder(lockedDirectory(configuration, server));
      if (holder?.pid === state.run.pid) {
        alone.push(state.run.pid);
      }
    }
  }
  const pids = [...supervisors.map(({ pid }) => pid), ...alone];
  for (const pid of pids) {
    process.kill(pid, "SIGTERM");
  }
  await waitUntilFree(configuration, pids);
  return { pids, supervisors };
}

/** The folder that a server's process locks: its own, wherever that was put. */
function lockedDirectory(configuration: Configuration, server: ServerName): string {
  return server === "graph"
    ? configuration.get("graph.database.location")
    : path.join(configuration.get("data.directory"), server);
}

/** By the locks: a process that ended can stay in the list of processes until its parent notices. */
async function waitUntilFree(configuration: Configuration, pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const holders = await Promise.all(
      serverNames.map((server) => findDirectoryHolder(lockedDirectory(configuration, server))),
    );
    const supervisors = await findSupervisors(configuration.get("data.directory"));
    const left = [...holders, ...supervisors]
      .flatMap((holder) => holder?.pid ?? [])
      .filter((pid) => pids.includes(pid));
    if (left.length === 0) {
      return;
    }
    if (Date.now() > deadline) {
      throw new CommandFailure(`process ${left.join(", ")} did not end within ${patienceMs / 1000} s`);
    }
    await delay(20);
  }
}
