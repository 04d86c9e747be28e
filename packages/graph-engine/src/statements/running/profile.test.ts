import { expect, test } from "vitest";
import { type PlanDescription } from "../../index.ts";
import { TestGraph } from "../test-graph.ts";

function operatorsOf(plan: PlanDescription): readonly PlanDescription[] {
  return [plan, ...plan.children.flatMap(operatorsOf)];
}

test("PROFILE gives each operator its rows and its own time", async () => {
  const graph = await TestGraph.open("UNWIND range(1, 2000) AS i CREATE (:N {i: i})");
  const began = performance.now();
  const { summary } = await graph.run("PROFILE MATCH (n:N) WHERE n.i % 2 = 0 RETURN sum(n.i) AS s");
  const tookMs = performance.now() - began;
  const operators = summary.plan === undefined ? [] : operatorsOf(summary.plan);
  expect(operators.find(({ operator }) => operator === "NodeByLabelScan")?.rows).toBe(2000);
  const times = operators.map(({ timeMs }) => timeMs ?? Number.NaN);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
  // No moment is counted twice.
  expect(times.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(tookMs);
});

test("2.3 knows no times", async () => {
  const graph = await TestGraph.open("CREATE (:N)");
  const { summary } = await graph.run("CYPHER 2.3 PROFILE MATCH (n:N) RETURN n");
  expect(summary.plan?.timeMs).toBeUndefined();
  expect(summary.plan?.rows).toBe(1);
});
