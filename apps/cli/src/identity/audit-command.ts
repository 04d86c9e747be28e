import { createInterface } from "node:readline";
import { text as readAll } from "node:stream/consumers";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, type TenantOption } from "./directory.ts";

interface AuditOptions extends TenantOption {
  readonly since?: string;
  readonly until?: string;
  readonly category?: string;
}

interface Party {
  readonly kind: string;
  readonly id?: string;
  readonly name?: string;
}

interface AuditLine {
  readonly time: string;
  readonly category: string;
  readonly activity: string;
  readonly outcome: string;
  readonly actor?: Party;
  readonly target?: Party;
  readonly clientAppId?: string;
  readonly errorCodes?: readonly number[];
}

/** `audit`: what happened, oldest first; with `--json` one JSON object a line, as it is on record. */
export function addAuditCommand(program: Command, context: CommandContext): void {
  program
    .command("audit")
    .description("sign-ins, consents, credentials and administration on record; --json exports JSON lines")
    .option("--tenant <tenant>", "id or domain of the tenant (default: all of them)")
    .option("--since <time>", "a date and time, or a span like 90m, 24h or 7d before now")
    .option("--until <time>", "likewise")
    .addOption(
      new Option("--category <category>", "only these").choices(["sign-in", "consent", "credential", "administration"]),
    )
    .action(async (options: AuditOptions) => {
      const query = new URLSearchParams();
      for (const name of ["since", "until"] as const) {
        const text = options[name];
        if (text !== undefined) {
          query.set(name, readTime(context, text));
        }
      }
      if (options.category !== undefined) {
        query.set("category", options.category);
      }
      const response = await new Directory(context, options).open(`/auditLogs?${query.toString()}`);
      if (response.statusCode !== 200) {
        context.fail(`the server refused (status ${response.statusCode ?? 0}): ${await readAll(response)}`);
      }
      // Line by line: the record may be long.
      for await (const line of createInterface({ input: response, crlfDelay: Infinity })) {
        process.stdout.write(`${context.wantsJson ? line : renderLine(JSON.parse(line) as AuditLine)}\n`);
      }
    });
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 };

function readTime(context: CommandContext, text: string): string {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const ms = count === undefined ? Date.parse(text) : Date.now() - Number(count) * (UNITS[unit ?? ""] ?? 0);
  return Number.isNaN(ms)
    ? context.fail(`'${text}' is neither a time like 2030-01-31T00:00:00Z nor a span like 24h`)
    : new Date(ms).toISOString();
}

function renderLine(line: AuditLine): string {
  const nameOf = (party: Party | undefined): string => party?.name ?? party?.id ?? party?.kind ?? "";
  const target = nameOf(line.target);
  const codes = line.errorCodes === undefined ? "" : ` (${line.errorCodes.join(", ")})`;
  const client = line.clientAppId === undefined ? "" : `through ${line.clientAppId}`;
  const cells = [
    line.time,
    line.outcome.padEnd(7),
    line.category.padEnd(14),
    `${line.activity}${target === "" ? "" : ` ${target}`}${codes}`,
    `by ${nameOf(line.actor) || "somebody unknown"}`,
    client,
  ];
  // Names come from whoever tried to sign in: they must not move the cursor.
  return cells
    .filter((cell) => cell !== "")
    .join("  ")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "?");
}
