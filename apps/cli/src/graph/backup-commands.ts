import path from "node:path";
import type { Command } from "commander";
import { CorruptionError, RequestError } from "@trefoil/base";
import type { CommandContext } from "../command-context.ts";

interface BackupReport {
  readonly files: number;
  readonly bytes: number;
}

const MEGABYTE = 1e6;

/** `graph check`, `graph backup` and `graph restore`: looking after what the graph keeps. */
export function addBackupCommands(graph: Command, context: CommandContext): void {
  graph
    .command("check")
    .description("compare everything the running server keeps, in memory and on disk")
    .action(async () => {
      const client = await context.management("graph");
      const { problems } = await client.json<{ readonly problems: readonly string[] }>({
        method: "POST",
        path: "/management/check",
      });
      if (context.wantsJson) {
        context.printJson({ problems });
      }
      problems.forEach((problem) => context.print(problem));
      if (problems.length > 0) {
        context.fail(`${problems.length} problems found`);
      }
      context.print("Everything fits together.");
    });
  graph
    .command("backup")
    .description("copy the graph of the running server to a folder that is empty or not there")
    .argument("<folder>")
    .action(async (folder: string) => {
      const client = await context.management("graph");
      const report = await client.json<BackupReport>({
        method: "POST",
        path: "/management/backup",
        body: { directory: path.resolve(folder) },
      });
      if (context.wantsJson) {
        context.printJson(report);
      } else {
        context.print(`${report.files} files, ${(report.bytes / MEGABYTE).toFixed(1)} MB.`);
      }
    });
  graph
    .command("restore")
    .description("make the graph of a stopped server out of a backup; which must have none yet")
    .argument("<folder>", "the backup")
    .option("--until <time>", "leave out what was committed later: 2026-11-21T12:00:00Z")
    .action(async (folder: string, { until }: { readonly until?: string }) => {
      const untilMs = until === undefined ? undefined : Date.parse(until);
      if (Number.isNaN(untilMs)) {
        context.fail(`'${until ?? ""}' is no time such as 2026-11-21T12:00:00Z`);
      }
      await restore(path.resolve(folder), untilMs, context);
    });
}

async function restore(folder: string, untilMs: number | undefined, context: CommandContext): Promise<void> {
  const location = (await context.configuration()).get("graph.database.location");
  // Loaded only here: with it comes the whole graph server, which would make every start of the command slower.
  const { restoreGraph } = await import("@trefoil/graph-server");
  const report = await restoreGraph(folder, location, untilMs).catch((error: unknown) => {
    // What is wrong with the folders is said without a stack.
    if (error instanceof RequestError || error instanceof CorruptionError) {
      context.fail(error.message);
    }
    throw error;
  });
  if (context.wantsJson) {
    context.printJson(report);
  } else {
    context.print(`${report.nodes} nodes and ${report.relationships} relationships in ${location}.`);
  }
}
