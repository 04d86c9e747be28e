import type { Command } from "commander";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { CommandContext } from "../command-context.ts";
import type { QueryOptions } from "./query-options.ts";

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
      const text = await readStatement(statement, options, context);
      // Loaded when needed: the server's exact JSON brings the server along.
      const { runQuery } = await import("./run-query.ts");
      await runQuery(text, options, context);
    });
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

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
