import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { type PlanDescription } from "../logical-plan/plan-description.ts";
import { TestGraph } from "../statements/test-graph.ts";

/** The page that shows what is generated; `TREFOIL_WRITE_DOCS=1` writes it anew. */
const PAGE = new URL("../../../../docs/generated-code.md", import.meta.url);
/** A statement, then its plan, then its code. */
const EXAMPLE = /(```cypher\n(?<statement>[^`]*?)\n```\n\n```text\n)(?:[^`]*)(```\n\n```js\n)(?:.*?)(\n```\n)/gsu;

const graph = await TestGraph.open();
afterAll(() => graph.store.close());

test("the page of generated code shows what is generated", () => {
  const page = readFileSync(PAGE, "utf8");
  const present = page.replaceAll(EXAMPLE, (whole: string, head: string, statement: string, middle: string) => {
    const { plan, source } = graph.engine.inspect(statement);
    expect(whole.endsWith("\n```\n")).toBe(true);
    return `${head}${textOf(plan, 0)}${middle}${source.trimEnd()}\n\`\`\`\n`;
  });
  if (process.env["TREFOIL_WRITE_DOCS"] === "1") {
    writeFileSync(PAGE, present);
  }
  expect(page.match(EXAMPLE)).toHaveLength(5);
  const shown = process.env["TREFOIL_WRITE_DOCS"] === "1" ? present : page;
  expect(shown, "run this test with TREFOIL_WRITE_DOCS=1 to write docs/generated-code.md anew").toBe(present);
});

function textOf(plan: PlanDescription, depth: number): string {
  const line = `${"  ".repeat(depth)}${`${plan.operator} ${plan.details}`.trim()}\n`;
  return line + plan.children.map((child) => textOf(child, depth + 1)).join("");
}
