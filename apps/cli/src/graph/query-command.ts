import { type JsonValue, parseJson, writeJson } from "@trefoil/graph-http";
import type { Command } from "commander";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { CommandContext } from "../command-context.ts";
import { parametersFrom, parametersFromJson } from "./query-parameters.ts";

interface QueryOptions {
  readonly param: readonly string[];
  readonly paramsFile?: string;
  readonly file?: string;
}

type JsonMap = ReadonlyMap<string, JsonValue>;

/** `graph query`: one statement, its rows as a table or as JSON. Numbers are shown exactly as the server has them. */
export function addQueryCommand(graph: Command, context: CommandContext): void {
  graph
    .command("query")
    .description("run a statement and show its rows")
    .argument("[statement]", "the statement; or use --file")
    .option("--param <name=value>", "a parameter; the value is JSON or else a text", collect, [])
    .option("--params-file <file>", "parameters as a JSON object")
    .option("--file <file>", "read the statement from a file (- for standard input)")
    .addHelpText(
      "after",
      `
Examples:
  $ trefoil graph query "MATCH (n) RETURN count(n)"
  $ trefoil graph query 'MATCH (p:Person {name: {name}}) RETURN p' --param name=Ada --json`,
    )
    .action(async (statement: string | undefined, options: QueryOptions) => {
      await runQuery(await readStatement(statement, options, context), await readParameters(options), context);
    });
}

async function runQuery(statement: string, parameters: JsonMap, context: CommandContext): Promise<void> {
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

/** "2 rows; 1 nodes created, 3 properties set" */
function summary(rowCount: number, columnCount: number, stats: JsonValue): string {
  const changes = isMap(stats)
    ? Array.from(stats).flatMap(([name, count]) =>
        typeof count === "number" && count > 0 ? [`${count} ${name.replaceAll("_", " ")}`] : [],
      )
    : [];
  const rows = columnCount === 0 ? [] : [`${rowCount} ${rowCount === 1 ? "row" : "rows"}`];
  return [...rows, ...(changes.length > 0 ? [changes.join(", ")] : [])].join("; ") || "Done; nothing changed.";
}

async function readStatement(
  statement: string | undefined,
  { file }: QueryOptions,
  context: CommandContext,
): Promise<string> {
  if (statement !== undefined && file !== undefined) {
    context.fail("give the statement itself or --file, not both");
  }
  if (file === "-") {
    return (await buffer(process.stdin)).toString("utf8");
  }
  return file === undefined
    ? (statement ?? context.fail("give a statement, or --file with one"))
    : await readFile(file, "utf8");
}

async function readParameters({ param, paramsFile }: QueryOptions): Promise<JsonMap> {
  const fromFile = paramsFile === undefined ? [] : parametersFromJson(await readFile(paramsFile, "utf8"), paramsFile);
  return new Map([...fromFile, ...parametersFrom(param)]);
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
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
