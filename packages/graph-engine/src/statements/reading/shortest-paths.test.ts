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

test.each([
  ["[:T* {w: 1}]", 3],
  ["[:T* {w: 1, k: null}]", undefined],
  ["[:T* {w: 1, v: 2}]", undefined],
  ["[:T&!X*]", 2],
])("the shortest path along several conditions on each relationship: %s", async (relationship, length) => {
  const graph = await TestGraph.open(SET_UP);
  const rows = length === undefined ? [] : [[length]];
  const pattern = `(:S {n: 'a'})-${relationship}->(:S {n: 'd'})`;
  expect((await graph.run(`MATCH p = shortestPath(${pattern}) RETURN length(p)`)).rows).toEqual(rows);
  expect((await graph.run(`MATCH p = ${pattern} RETURN min(length(p))`)).rows).toEqual([[length ?? null]]);
});

test("a search that looks at every path ends, and can be stopped", async () => {
  const graph = await TestGraph.open(
    "UNWIND range(1, 12) AS i CREATE (:K {i: i})",
    "MATCH (a:K), (b:K) WHERE a <> b CREATE (a)-[:T]->(b)",
  );
  const search = (where: string): string =>
    `MATCH (a:K {i: 1}), (b:K {i: 2}), p = shortestPath((a)-[:T*]->(b)) WHERE ${where}`;
  for (const statement of [
    `${search("length(p) < 0")} RETURN p`,
    `MATCH (x:K {i: 1}) WHERE EXISTS { ${search("length(p) < 0")} } RETURN x`,
    // Endless inside of the condition, too.
    `${search("EXISTS { MATCH q = (a)-[:T*]->() WHERE length(q) < length(p) - 1000 }")} RETURN p`,
    `${search("all(x IN nodes(p) WHERE EXISTS { MATCH q = (x)-[:T*]->() WHERE length(q) < 0 })")} RETURN p`,
    `${search(`all(x IN rels(p) WHERE ${"reduce(n = 0, i IN range(1, 1000000) | n + ".repeat(3)}1${")".repeat(3)} < 0)`)} RETURN p`,
    // And inside of what a pattern asks of its relationships.
    "MATCH (a:K {i: 1})-[:T* {w: COUNT { MATCH q = (a)-[:T*]->() }}]->(b) RETURN b",
    "MATCH (a:K {i: 1}), (b:K {i: 2}) RETURN shortestPath((a)-[:T* {w: COUNT { MATCH q = (a)-[:T*]->() }}]->(b))",
  ]) {
    const stopping = AbortSignal.timeout(100);
    await expect(graph.run(statement, {}, { signal: stopping }), statement).rejects.toThrow();
  }
  expect((await graph.run(`${search("length(p) < 0").replace("*", "*..3")} RETURN p`)).rows).toEqual([]);
});

test.each([
  ["what is asked of each relationship may be known only at the end", "MATCH (a {n: 'a'})-[r:T* {w: b.w}]->(b)", "b"],
  ["or stand behind it", "MATCH (a {n: 'a'})-[r:T* {w: x.w}]->(b), (x {n: 'b'})", "bcde"],
  ["or be asked by WHERE", "MATCH p = (a {n: 'a'})-[r:T*]->(b) WHERE all(x IN r WHERE x.w = 1)", "bcde"],
  ["of a path", "MATCH p = (a {n: 'a'})-[r:T*]->(b) WHERE none(x IN relationships(p) WHERE x.w > 1)", "bcde"],
  ["by a subquery", "MATCH (a {n: 'a'})-[r:T* {w: COUNT { (b)<--() }}]->(b)", "bce"],
])("walks of any length: %s", async (_name, match, ends) => {
  const graph = await TestGraph.open(SET_UP, "MATCH (x {n: 'b'}) SET x.w = 1");
  const { rows } = await graph.run(`${match} RETURN b.n ORDER BY b.n`);
  expect(rows.flat().join("")).toBe(ends);
});

test("a relationship of variable length has no WHERE of its own", async () => {
  const graph = await TestGraph.open(SET_UP);
  await expect(graph.run("MATCH ()-[r:T* WHERE r.w = 1]->() RETURN r")).rejects.toThrow(
    "Relationship pattern predicates are not supported for variable-length relationships.",
  );
});
