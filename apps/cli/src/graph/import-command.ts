import type { Command } from "commander";
import { createInterface } from "node:readline";
import path from "node:path";
import type { CommandContext } from "../command-context.ts";

/** How far the server has come, as it says in every line of its answer. */
interface Progress {
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

interface Report {
  readonly nodes: number;
  readonly relationships: number;
  readonly badLines: number;
  readonly badLineMessages: readonly string[];
}

interface ImportCommandOptions {
  readonly delimiter?: string;
  readonly skipBadLines?: boolean;
}

interface Line {
  readonly progress?: Progress;
  readonly done?: Report;
  readonly errors?: readonly { readonly message: string }[];
}

/** `graph import`: loads CSV files of this machine into the running server, and shows how far it is. */
export function addImportCommand(graph: Command, context: CommandContext): void {
  graph
    .command("import")
    .description("load nodes and relationships from CSV files")
    .argument("<nodes>", "a file with a header such as id:ID,name,age:int,:LABEL")
    .argument("[relationships]", "a file with a header such as :START_ID,:END_ID,:TYPE,since:int")
    .option("--delimiter <character>", "what separates fields, instead of a comma")
    .option("--skip-bad-lines", "leave out lines that cannot be taken in, and count them")
    .addHelpText("after", "\nExample:\n  $ trefoil graph import people.csv knows.csv")
    .action(async (nodes: string, relationships: string | undefined, options: ImportCommandOptions) => {
      const client = await context.management("graph");
      const response = await client.send({
        method: "POST",
        path: "/management/import",
        body: {
          nodes: [path.resolve(nodes)],
          relationships: relationships === undefined ? [] : [path.resolve(relationships)],
          ...options,
        },
      });
      if (response.statusCode !== 200) {
        context.fail(`the server refused the import (status ${response.statusCode ?? 0})`);
      }
      const bar = context.progressBar({ label: "import", total: 1, unit: "bytes" });
      let last: Line = {};
      try {
        for await (const text of createInterface({ input: response })) {
          last = JSON.parse(text) as Line;
          if (last.progress !== undefined) {
            bar.update(last.progress.bytesRead, last.progress.bytesTotal);
          }
        }
      } finally {
        bar.stop();
      }
      report(last, context);
    });
}

function report({ done, errors }: Line, context: CommandContext): void {
  if (done === undefined) {
    context.fail(errors?.[0]?.message ?? "the server ended the import without a word");
  }
  if (context.wantsJson) {
    context.printJson(done);
    return;
  }
  context.print(`${done.nodes} nodes and ${done.relationships} relationships imported.`);
  for (const message of done.badLineMessages) {
    context.warn(message);
  }
  if (done.badLines > 0) {
    context.print(`${done.badLines} lines left out.`);
  }
}
