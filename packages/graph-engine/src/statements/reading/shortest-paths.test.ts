import { expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

// a → b → d is the shortest way; a → c → e → d avoids what is bad on it.
const SET_UP = `CREATE (a:S {n: 'a'}), (b:S {n: 'b', bad: true}), (c:S {n: 'c'}), (d:S {n: 'd'}), (e:S {n: 'e'}),
  (a)-[:T {w: 1}]->(b), (b)-[:T {w: 9}]->(d), (a)-[:T {w: 1}]->(c), (c)-[:T {w: 1}]->(e), (e)-[:T {w: 1}]->(d)`;

test.each([
  ["true", 2],
  ["all(x IN nodes(p) WHERE x.bad IS NULL)", 3],
  ["none(x IN nodes(p) WHERE x.bad)", undefined],
  ["none(x IN nodes(p) WHERE x.bad IS NOT NULL)", 3],
  ["all(r IN relationships(p) WHERE r.w < 5)", 3],
  ["none(r IN rs WHERE r.w > 5)", 3],
  ["any(x IN nodes(p) WHERE x.n = 'c')", 3],
  ["single(x IN nodes(p) WHERE x.n = 'c')", 3],
  ["NOT any(x IN nodes(p) WHERE x.bad)", undefined],
  ["length(p) > 2", 3],
  ["size(rs) > 2", 3],
  ["length(p) > 3", undefined],
  ["all(x IN nodes(p) WHERE x.bad IS NULL OR x.n = d.n)", 3],
  ["all(x IN nodes(p) WHERE x.bad IS NULL) AND length(p) > 3", undefined],
  ["all(x IN nodes(p) WHERE x.n <> 'a')", undefined],
  ["EXISTS { (d)-->() }", undefined],
])("the shortest path where %s", async (where, length) => {
  const graph = await TestGraph.open(SET_UP);
  for (const search of ["shortestPath", "allShortestPaths"]) {
    const { rows } = await graph.run(
      `MATCH (a:S {n: 'a'}), (d:S {n: 'd'}), p = ${search}((a)-[rs:T*]->(d)) WHERE ${where} RETURN length(p)`,
    );
    expect(rows).toEqual(length === undefined ? [] : [[length]]);
  }
});

test("a search that looks at every path ends, and can be stopped", async () => {
  const graph = await TestGraph.open(
    "UNWIND range(1, 12) AS i CREATE (:K {i: i})",
    "MATCH (a:K), (b:K) WHERE a <> b CREATE (a)-[:T]->(b)",
  );
  const statement = "MATCH (a:K {i: 1}), (b:K {i: 2}), p = shortestPath((a)-[:T*]->(b)) WHERE length(p) < 0 RETURN p";
  const stopping = AbortSignal.timeout(100);
  await expect(graph.run(statement, {}, { signal: stopping })).rejects.toThrow();
  const bounded = statement.replace("*", "*..3");
  expect((await graph.run(bounded)).rows).toEqual([]);
});
