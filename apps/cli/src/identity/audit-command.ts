import { createInterface } from "node:readline";
import { text as readAll } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, type TenantOption } from "./directory.ts";

interface AuditOptions extends TenantOption {
  readonly since?: string;
  readonly until?: string;
  readonly category?: string;
  readonly follow?: boolean;
}

interface Party {
  readonly kind: string;
  readonly id?: string;
  readonly name?: string;
}

interface AuditLine {
  readonly id: string;
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
    .option("--follow", "go on with what happens from now on, until interrupted")
    .action(async (options: AuditOptions) => {
      const log = new AuditReader(context, options);
      await log.print(options.since, options.until);
      if (options.follow === true) {
        await log.follow();
      }
    });
}

const LOOK_EVERY_MS = 1_000;
/** Several servers on one database write down what they gathered a moment later: so far back is looked again. */
const LOOK_BACK_MS = 5_000;

/** Reads the record and prints what wasn't printed before. */
class AuditReader {
  readonly #context: CommandContext;
  readonly #options: AuditOptions;
  readonly #directory: Directory;
  /** Ids of recent lines with their time. */
  readonly #printed = new Map<string, number>();
  #latestMs: number;

  constructor(context: CommandContext, options: AuditOptions) {
    this.#context = context;
    this.#options = options;
    this.#directory = new Directory(context, options);
    this.#latestMs = Date.now();
  }

  /** @param since  a time or a span; with `--follow` alone, what is on record already is not printed */
  async print(since: string | undefined, until: string | undefined): Promise<void> {
    const query = new URLSearchParams();
    const start = since ?? (this.#options.follow === true ? new Date(this.#latestMs).toISOString() : undefined);
    for (const [name, text] of Object.entries({ since: start, until })) {
      if (text !== undefined) {
        query.set(name, readTime(this.#context, text));
      }
    }
    if (this.#options.category !== undefined) {
      query.set("category", this.#options.category);
    }
    const response = await this.#directory.open(`/auditLogs?${query.toString()}`);
    if (response.statusCode !== 200) {
      this.#context.fail(`the server refused (status ${response.statusCode ?? 0}): ${await readAll(response)}`);
    }
    // Line by line: the record may be long.
    for await (const line of createInterface({ input: response, crlfDelay: Infinity })) {
      this.#printLine(line, JSON.parse(line) as AuditLine);
    }
  }

  async follow(): Promise<never> {
    for (;;) {
      await delay(LOOK_EVERY_MS);
      await this.print(new Date(this.#latestMs - LOOK_BACK_MS).toISOString(), undefined);
      for (const [id, atMs] of this.#printed) {
        if (atMs < this.#latestMs - 2 * LOOK_BACK_MS) {
          this.#printed.delete(id);
        }
      }
    }
  }

  #printLine(line: string, event: AuditLine): void {
    if (this.#printed.has(event.id)) {
      return;
    }
    const atMs = Date.parse(event.time);
    this.#latestMs = Math.max(this.#latestMs, atMs);
    if (this.#options.follow === true) {
      this.#printed.set(event.id, atMs);
    }
    process.stdout.write(`${this.#context.wantsJson ? line : renderLine(event)}\n`);
  }
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
