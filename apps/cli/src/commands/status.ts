import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../command-failure.ts";
import { askReadiness } from "../health.ts";
import { type ServerName, serverNames } from "../server-names.ts";
import { readServerState } from "../supervisor/running.ts";

/** One server as `status` shows it. */
export interface ServerStatus {
  readonly server: ServerName;
  readonly state: "stopped" | "starting" | "ready" | "not ready" | "no answer";
  readonly pid: number | null;
  readonly supervisorPid: number | null;
  readonly startedAt: string | null;
  readonly addresses: readonly string[];
}

/** `status`. */
export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command("status")
    .description("say which servers run on this data folder, and whether they are ready")
    .addHelpText("after", "\nExit codes: 0 what was started is ready, 1 something is not, 3 nothing is running.")
    .action(async () => {
      const statuses = await readStatuses(await context.dataDirectory());
      if (context.wantsJson) {
        context.printJson(statuses);
      } else {
        const rows = statuses.map((status) => ({
          ...status,
          pid: status.pid ?? "",
          "started at": status.startedAt ?? "",
        }));
        context.printTable(rows, ["server", "state", "pid", "started at", "addresses"]);
      }
      const running = statuses.filter(({ state }) => state !== "stopped");
      process.exitCode =
        running.length === 0
          ? exitCodes.notRunning
          : running.every(({ state }) => state === "ready")
            ? exitCodes.success
            : exitCodes.failure;
    });
}

/** Every server's status, each asked for its readiness. */
export function readStatuses(dataDirectory: string): Promise<readonly ServerStatus[]> {
  return Promise.all(
    serverNames.map(async (server): Promise<ServerStatus> => {
      const known = await readServerState(dataDirectory, server);
      const nothing = { server, pid: null, startedAt: null, addresses: [] } as const;
      switch (known.state) {
        case "stopped":
          return { ...nothing, state: "stopped", supervisorPid: null };
        case "starting":
          return { ...nothing, state: "starting", supervisorPid: known.supervisorPid };
        case "running": {
          const isReady = await askReadiness(dataDirectory, known.run.addresses);
          return {
            server,
            state: isReady === undefined ? "no answer" : isReady ? "ready" : "not ready",
            pid: known.run.pid,
            supervisorPid: known.supervisorPid ?? null,
            startedAt: known.run.startedAt,
            addresses: known.run.addresses.map(({ url }) => url),
          };
        }
      }
    }),
  );
}
