import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

const family = "CREATE (a:P {n: 'a'})-[:K]->(b:P {n: 'b'})-[:K]->(c:P {n: 'c'}), (a)-[:K]->(c), (:P {n: 'd'})";

describe("subqueries", () => {
  test.each([
    [
      "MATCH (p:P) RETURN p.n, COUNT { (p)-->() } AS c ORDER BY p.n",
      [
        ["a", 2],
        ["b", 1],
        ["c", 0],
        ["d", 0],
      ],
    ],
    ["MATCH (p:P) WHERE NOT EXISTS { (p)--() } RETURN p.n", [["d"]]],
    ["MATCH (p:P) WHERE NOT (p)-->() AND (p)<--() RETURN p.n", [["c"]]],
    ["MATCH (p:P {n: 'a'}) RETURN COLLECT { MATCH (p)-->(q) RETURN q.n ORDER BY q.n } AS l", [[["b", "c"]]]],
    ["MATCH (p:P {n: 'a'}) RETURN [(p)-->(q) WHERE q.n > 'b' | q.n] AS l", [[["c"]]]],
    ["MATCH (p:P) WITH collect(p) AS ps RETURN [x IN ps WHERE (x)-->() | x.n] AS l", [[["a", "b"]]]],
    ["MATCH (p:P) WITH collect(p) AS ps RETURN all(x IN ps WHERE size([(x)--(y) | y]) < 3) AS l", [[true]]],
    [
      "MATCH (p:P) CALL { WITH p MATCH (p)-->(q) RETURN count(q) AS c } RETURN p.n, c ORDER BY p.n",
      [
        ["a", 2],
        ["b", 1],
        ["c", 0],
        ["d", 0],
      ],
    ],
    [
      "MATCH (p:P) CALL (p) { MATCH (p)-->(q) RETURN q.n AS q } RETURN p.n, q ORDER BY p.n, q",
      [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
      ],
    ],
    ["MATCH (p:P) OPTIONAL CALL (p) { MATCH (p)-->(q) RETURN q.n AS q } RETURN count(q), count(*)", [[3, 5]]],
    [
      "UNWIND [1, 2] AS x CALL { WITH x RETURN x AS y UNION WITH x RETURN x * 10 AS y } RETURN y",
      [[1], [10], [2], [20]],
    ],
    [
      "MATCH (p:P) RETURN CASE WHEN (p)-->() THEN 'out' WHEN EXISTS { (p)<--() } THEN 'in' ELSE 'none' END AS k, count(*) AS c ORDER BY k",
      [
        ["in", 1],
        ["none", 1],
        ["out", 2],
      ],
    ],
    [
      "MATCH (a:P), (b:P) WHERE a.n < b.n AND (a.n = 'd' OR (a)-->(b)) RETURN a.n, b.n ORDER BY a.n, b.n",
      [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
      ],
    ],
  ])("%s", async (text, rows) => {
    const graph = await TestGraph.open(family);
    expect((await graph.run(text)).rows).toEqual(rows);
  });

  test("CALL for its effects passes the rows on", async () => {
    const graph = await TestGraph.open();
    const { rows, summary } = await graph.run("UNWIND [1, 2, 3] AS i CALL { WITH i CREATE (:Z {i: i}) } RETURN i");
    expect(rows).toEqual([[1], [2], [3]]);
    expect(summary.counts.nodesCreated).toBe(3);
  });

  test("what only the chosen branch computes is not computed for the others", async () => {
    const graph = await TestGraph.open();
    expect(await graph.value("WITH 0 AS x RETURN CASE WHEN x = 0 THEN [] ELSE [y IN [1] | y / x] END")).toEqual([]);
    expect(await graph.value("WITH 0 AS x RETURN x = 0 OR size([y IN [1] WHERE 1 / x = 1]) = 1")).toBe(true);
  });
});
