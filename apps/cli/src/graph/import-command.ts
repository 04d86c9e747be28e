import type { Command } from "commander";
import { createInterface } from "node:readline";
import path from "node:path";
import type { CommandContext } from "../command-context.ts";

/** How far the server has come, as it says in every line of its answer. */
interface Progress {
  readonly nodes: number;
  readonly relationships: number;
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

interface Line {
  readonly progress?: Progress;
  readonly done?: Progress;
  readonly errors?: readonly { readonly message: string }[];
}

/** `graph import`: loads CSV files of this machine into the running server, and shows how far it is. */
export function addImportCommand(graph: Command, context: CommandContext): void {
  graph
    .command("import")
    .description("load nodes and relationships from CSV files")
    .argument("<nodes>", "a file with a header such as id:ID,name,age:int,:LABEL")
    .argument("[relationships]", "a file with a header such as :START_ID,:END_ID,:TYPE,since:int")
    .addHelpText("after", "\nExample:\n  $ trefoil graph import people.csv knows.csv")
    .action(async (nodes: string, relationships: string | undefined) => {
      const client = await context.management("graph");
      const response = await client.send({
        method: "POST",
        path: "/management/import",
        body: {
          nodes: [path.resolve(nodes)],
          relationships: relationships === undefined ? [] : [path.resolve(relationships)],
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
          const progress = last.progress ?? last.done;
          if (progress !== undefined) {
            bar.update(progress.bytesRead, progress.bytesTotal);
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
  const counts = { nodes: done.nodes, relationships: done.relationships };
  if (context.wantsJson) {
    context.printJson(counts);
  } else {
    context.print(`${counts.nodes} nodes and ${counts.relationships} relationships imported.`);
  }
}
