import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import { CommandFailure, exitCodes } from "../command-failure.ts";
import type { CommandContext } from "../command-context.ts";
import type { ManagementClient } from "../management-client.ts";

interface Finding {
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
  readonly blobs: readonly string[];
}

interface Report {
  readonly state: "done";
  readonly extents: number;
  readonly bytes: number;
  readonly contents: number;
  readonly problems: number;
  readonly findings: readonly Finding[];
}

type CheckState =
  | { readonly state: "none" }
  | { readonly state: "running"; readonly bytes: number; readonly ofBytes: number }
  | { readonly state: "failed"; readonly message: string }
  | Report;

const POLL_MS = 200;

/** `objects check`: reads everything that is stored and compares it with its checksums and its records. */
export function addCheckCommand(program: Command, context: CommandContext): void {
  const objects = program.command("objects").description("the object store as a whole");
  objects
    .command("check")
    .description("verify every extent and every reference; exit code 1 when something is damaged")
    .option("--repair-none", "change nothing: don't mark what is found, nor unmark what is sound again")
    .addHelpText("after", "\nExample:\n  trefoil objects check\n")
    .action(async ({ repairNone = false }: { readonly repairNone?: boolean }) => {
      const server = await context.management("objects");
      const report = await runCheck(server, context, !repairNone);
      const { extents, bytes, contents, problems, findings } = report;
      if (context.wantsJson) {
        context.printJson({ extents, bytes, contents, problems, findings });
      } else if (findings.length > 0) {
        context.printTable(findings, ["kind", "subject", "detail", "blobs"]);
      }
      context.print(`Verified ${extents} extents with ${bytes} bytes, and the references of ${contents} contents.`);
      if (problems > 0) {
        throw new CommandFailure(
          problems === 1 ? "one problem found" : `${problems} problems found`,
          exitCodes.failure,
        );
      }
    });
}

async function runCheck(server: ManagementClient, context: CommandContext, marks: boolean): Promise<Report> {
  const path = "/management/check";
  let state = await server.json<CheckState>({ method: "POST", path, body: { marks } });
  const bar = context.progressBar({
    label: "checking",
    total: state.state === "running" ? state.ofBytes : 0,
    unit: "B",
  });
  try {
    while (state.state === "running") {
      bar.update(state.bytes, state.ofBytes);
      await wait(POLL_MS);
      state = await server.json<CheckState>({ method: "GET", path });
    }
  } finally {
    bar.stop();
  }
  if (state.state !== "done") {
    throw new CommandFailure(state.state === "failed" ? state.message : "the server was started anew meanwhile");
  }
  return state;
}
