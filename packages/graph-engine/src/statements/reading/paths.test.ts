import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

const ring =
  "CREATE (a:N {v: 0})-[:T {w: 1}]->(b:N {v: 1})-[:T {w: 2}]->(c:N {v: 2})-[:T {w: 3}]->(d:N {v: 3})-[:T {w: 4}]->(a)";

describe("paths", () => {
  test.each([
    ["MATCH p = shortestPath((a {v: 0})-[*]-(c {v: 3})) RETURN length(p)", [[1]]],
    ["MATCH p = shortestPath((a {v: 0})-[*]->(c {v: 3})) RETURN length(p)", [[3]]],
    [
      "MATCH p = allShortestPaths((a {v: 0})-[*]-(c {v: 2})) RETURN [n IN nodes(p) | n.v] AS vs ORDER BY vs",
      [[[0, 1, 2]], [[0, 3, 2]]],
    ],
    ["MATCH p = shortestPath((a {v: 0})-[*..2]->(c {v: 3})) RETURN p", []],
    ["MATCH (a {v: 0}), (b {v: 2}) RETURN length(shortestPath((a)-[:T*]->(b)))", [[2]]],
    ["MATCH (a {v: 0}), (b {v: 2}) RETURN shortestPath((a)-[:NONE*]->(b))", [[null]]],
    ["MATCH (a {v: 0})-[rs:T*2]->(b) RETURN b.v, [r IN rs | r.w]", [[2, [1, 2]]]],
    ["MATCH (b {v: 2})<-[rs:T*2]-(a {v: 0}) RETURN [r IN rs | r.w]", [[[2, 1]]]],
    ["MATCH (a {v: 0})-[*0..1]->(b) RETURN b.v ORDER BY b.v", [[0], [1]]],
    ["MATCH (a {v: 0})-[:T* {w: 1}]->(b) RETURN b.v", [[1]]],
    ["MATCH p = (a {v: 0})-[*4]->(a) RETURN length(p)", [[4]]],
    ["MATCH (a {v: 0})-[*5]-(b) RETURN count(b)", [[0]]],
  ])("%s", async (text, rows) => {
    const graph = await TestGraph.open(ring);
    expect((await graph.run(text)).rows).toEqual(rows);
  });

  test("a list of relationships from before gives its ends", async () => {
    const graph = await TestGraph.open(ring);
    const text = "MATCH ()-[r:T {w: 1}]->()-[s]->() WITH [r, s] AS rs MATCH (x)-[rs*]->(y) RETURN x.v, y.v";
    expect((await graph.run(text)).rows).toEqual([[0, 2]]);
  });
});
