import { certificateAuthorityFile, initialCredentialsFile } from "@trefoil/installation";
import type { Command } from "commander";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { CommandContext } from "../command-context.ts";
import { logFileOf } from "../supervisor/log-file.ts";
import { readStatuses } from "./status.ts";

/** `info`. */
export function addInfoCommand(program: Command, context: CommandContext): void {
  program
    .command("info")
    .description("print versions, places of files, processes and their memory")
    .action(async () => {
      const configuration = await context.configuration();
      const dataDirectory = configuration.get("data.directory");
      const statuses = await readStatuses(dataDirectory);
      const supervisorPids = new Set(statuses.flatMap(({ supervisorPid }) => supervisorPid ?? []));
      const processes = [
        ...[...supervisorPids].map((pid) => ({ process: "supervisor", pid })),
        ...statuses.flatMap(({ server, pid }) => (pid === null ? [] : [{ process: server as string, pid }])),
      ];
      const measured = await Promise.all(
        processes.map(async (row) => ({ ...row, memoryMiB: await readProportionalMemoryMiB(row.pid) })),
      );
      const facts = {
        version: program.version() ?? "",
        node: process.version,
        configurationFile: configuration.file ?? null,
        dataDirectory,
        logFile: present(logFileOf(dataDirectory)),
        initialCredentials: present(initialCredentialsFile(dataDirectory)),
        certificateAuthority: present(certificateAuthorityFile(dataDirectory)),
      };
      if (context.wantsJson) {
        context.printJson({ ...facts, servers: statuses, processes: measured });
        return;
      }
      for (const [name, value] of Object.entries(facts)) {
        context.print(`${name.padEnd(22)}${value ?? "(none)"}`);
      }
      context.print("");
      context.printTable(statuses, ["server", "state", "addresses"]);
      if (measured.length > 0) {
        context.print("");
        context.printTable(measured.map((row) => ({ ...row, memoryMiB: row.memoryMiB ?? "unknown" })));
      }
    });
}

function present(file: string): string | null {
  return existsSync(file) ? file : null;
}

/** A process's share of memory, pages shared with others divided among them; `null` where the system does not say. */
async function readProportionalMemoryMiB(pid: number): Promise<number | null> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const kib = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1];
  return kib === undefined ? null : Math.round(Number(kib) / 102.4) / 10;
}
