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
