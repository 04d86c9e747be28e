// Shows what becomes of a statement: `npm run explain -- "MATCH (n) RETURN n"` prints its syntax tree, its plan and
// the JavaScript that would run. `--mode 2.3` takes it as the 2.3 language, `--no-ast` leaves the tree out.
import { parseArgs } from "node:util";
import { systemClock } from "@trefoil/base";
import { createEngine, type PlanDescription } from "@trefoil/graph-engine";
import { openGraphStore } from "@trefoil/graph-store";

/** @returns  the exit code: 0, or 2 without a statement */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { mode: { type: "string" }, "no-ast": { type: "boolean" } },
  });
  const [text] = positionals;
  if (text === undefined) {
    console.error('usage: npm run explain -- [--mode 2.3] [--no-ast] "<statement>"');
    return 2;
  }
  const store = await openGraphStore({ clock: systemClock });
  const engine = createEngine({ store, clock: systemClock });
  try {
    const { statement, plan, source } = engine.inspect(text, values.mode === "2.3" ? "2.3" : "modern");
    if (values["no-ast"] !== true) {
      console.log(`Syntax tree\n${JSON.stringify(statement.body, withoutPositions, 2)}\n`);
    }
    console.log(`Plan\n${planText(plan, 0)}\nGenerated code\n${source}`);
    return 0;
  } finally {
    await store.close();
  }
}

function withoutPositions(key: string, value: unknown): unknown {
  return key === "position" ? undefined : typeof value === "bigint" ? String(value) : value;
}

function planText(plan: PlanDescription, depth: number): string {
  const line = `${"  ".repeat(depth)}${plan.operator} ${plan.details} (about ${Math.ceil(plan.estimatedRows)} rows)\n`;
  return line + plan.children.map((child) => planText(child, depth + 1)).join("");
}
