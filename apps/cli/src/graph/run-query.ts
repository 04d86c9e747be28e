import { type JsonValue, parseJson, writeJson } from "@trefoil/graph-server";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { CommandContext } from "../command-context.ts";
import type { QueryOptions } from "./query-options.ts";
import { parametersFrom, parametersFromJson } from "./query-parameters.ts";

type JsonMap = ReadonlyMap<string, JsonValue>;

/** Runs a statement in the running server and shows its rows; numbers are exactly those of the server. */
export async function runQuery(statement: string, options: QueryOptions, context: CommandContext): Promise<void> {
  const parameters = await readParameters(options);
  const request = new Map<string, JsonValue>([
    [
      "statements",
      [
        new Map<string, JsonValue>([
          ["statement", statement],
          ["parameters", parameters],
          ["includeStats", true],
        ]),
      ],
    ],
  ]);
  const client = await context.management("graph");
  const response = await client.send({
    method: "POST",
    path: "/management/transaction/commit",
    body: Buffer.from(writeJson(request, "compact")),
    headers: { "content-type": "application/json" },
  });
  const answer = parseJson((await buffer(response)).toString("utf8"));
  const [error] = listOf(memberOf(answer, "errors"));
  if (error !== undefined) {
    context.fail(`${textOf(memberOf(error, "code"))}: ${textOf(memberOf(error, "message"))}`);
  }
  const [result] = listOf(memberOf(answer, "results"));
  show(result ?? new Map(), context);
}

function show(result: JsonValue, context: CommandContext): void {
  const columns = listOf(memberOf(result, "columns")).map(textOf);
  const rows = listOf(memberOf(result, "data")).map((entry) => listOf(memberOf(entry, "row")));
  const stats = memberOf(result, "stats") ?? new Map();
  if (context.wantsJson) {
    const shown = new Map<string, JsonValue>([
      ["columns", columns],
      ["rows", rows],
      ["stats", stats],
    ]);
    process.stdout.write(`${writeJson(shown, "pretty")}\n`);
    return;
  }
  if (columns.length > 0) {
    context.printTable(
      rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, textOf(row[at] ?? null)]))),
      columns,
    );
  }
  context.print(summary(rows.length, columns.length, stats));
}

/** "2 rows; nodes created: 1, properties set: 3" */
function summary(rowCount: number, columnCount: number, stats: JsonValue): string {
  const changes = isMap(stats)
    ? Array.from(stats).flatMap(([name, count]) =>
        typeof count === "number" && count > 0 ? [`${name.replaceAll("_", " ")}: ${count}`] : [],
      )
    : [];
  const rows = columnCount === 0 ? [] : [`${rowCount} ${rowCount === 1 ? "row" : "rows"}`];
  return [...rows, ...(changes.length > 0 ? [changes.join(", ")] : [])].join("; ") || "Done; nothing changed.";
}

async function readParameters({ param, paramsFile }: QueryOptions): Promise<JsonMap> {
  const fromFile = paramsFile === undefined ? [] : parametersFromJson(await readFile(paramsFile, "utf8"), paramsFile);
  return new Map([...fromFile, ...parametersFrom(param)]);
}

function isMap(value: JsonValue | undefined): value is JsonMap {
  return value instanceof Map;
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return isMap(value) ? value.get(name) : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** Texts as they are, everything else as JSON. */
function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : writeJson(value ?? null, "compact");
}
