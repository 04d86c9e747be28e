import { expect, it } from "vitest";
import { TestGraph } from "../test-graph.ts";

/** The rows a statement gives before it fails. */
async function rowsBeforeFailure(graph: TestGraph, text: string, mode: "modern" | "2.3"): Promise<readonly unknown[]> {
  const transaction = graph.store.begin();
  const rows: unknown[] = [];
  try {
    const result = await graph.engine.execute(transaction, text, new Map(), { mode });
    for await (const batch of result.rows) {
      rows.push(...batch.map(([value]) => value));
    }
    return [...rows, "no failure"];
  } catch {
    return rows;
  } finally {
    transaction.rollback();
  }
}

// The rows of 2.3 are those of the 2.3.12 server: it looks for the next row before it gives one out.
it.each([
  ["UNWIND [1, 2, 0] AS x WITH x WHERE 10 / x > 1 RETURN x", [1], [1, 2]],
  ["UNWIND [1, 2, 0] AS x WITH 10 / x AS y RETURN y", [10, 5], [10, 5]],
  ["UNWIND [1, 2, 0] AS x RETURN DISTINCT 10 / x AS y", [10], [10, 5]],
  ["UNWIND [1, 2, 0] AS x WITH x WHERE 10 / x > 1 RETURN x SKIP 1", [], [2]],
  ["UNWIND [1, 2, 0] AS x UNWIND [1, 10 / x] AS y RETURN y", [1, 10, 1], [1, 10, 1, 5]],
  ["UNWIND [1, 2] AS x RETURN 10 / x AS y UNION ALL UNWIND [1, 0] AS z RETURN 10 / z AS y", [10, 5, 10], [10, 5, 10]],
] as const)("%s", async (text, legacy, modern) => {
  const graph = await TestGraph.open();
  expect(await rowsBeforeFailure(graph, text, "2.3")).toEqual(legacy);
  expect(await rowsBeforeFailure(graph, text, "modern")).toEqual(modern);
});

// 2.3 gives out the columns when the first UNWIND has something, and after the counts of SKIP and LIMIT.
it.each([
  ["UNWIND [10 / {zero}] AS x RETURN x", "early"],
  ["UNWIND [0, 1] AS y UNWIND [10 / y] AS x RETURN x", "early"],
  ["UNWIND [1, 0] AS y UNWIND [10 / y] AS x RETURN x", "late"],
  ["UNWIND [0, 1] AS y WITH y WHERE 10 / y > 1 RETURN y", "late"],
  ["RETURN 1 AS x SKIP {text}", "early"],
  ["RETURN 10 / {zero}", "late"],
])("%s fails %s", async (text, when) => {
  const graph = await TestGraph.open();
  const transaction = graph.store.begin();
  const parameters = new Map<string, string | number>([
    ["zero", 0],
    ["text", "a"],
  ]);
  let outcome = "early";
  try {
    const result = await graph.engine.execute(transaction, text, parameters, { mode: "2.3" });
    result.close();
    outcome = "late";
  } catch {
    // No result, then.
  }
  transaction.rollback();
  expect(outcome).toBe(when);
});

it.each([
  [
    "UNWIND [1, 2] AS x RETURN x ORDER BY x SKIP {n}",
    "SkipPipe(SortPipe(ProjectionPipe(UnwindPipe(SingleRowPipe(),Collection(List(Literal(1), Literal(2))),  x@17),Map(  FRESHID26 ->   x@17)),List(Ascending(  FRESHID26))),{n}), but got null",
  ],
  ["UNWIND {l} AS x RETURN x AS y SKIP {n}", "SkipPipe(UnwindPipe(SingleRowPipe(),{l},x),{n}), but got null"],
  ["RETURN 1 AS z LIMIT {n}", "LimitPipe(SingleRowPipe(),{n}), but got null"],
  ["MATCH (m) RETURN count(*) AS c SKIP {n}", "Expected a numeric value for SKIP, but got null"],
])("2.3 shows what it counts: %s", async (text, message) => {
  const graph = await TestGraph.open();
  await expect(graph.run(text, { n: null, l: [1] }, { mode: "2.3" })).rejects.toThrow(message);
});
