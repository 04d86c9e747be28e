import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

describe("updates", () => {
  test("FOREACH runs its clauses for each element", async () => {
    const graph = await TestGraph.open("CREATE (:Root)");
    const { summary } = await graph.run(
      "MATCH (r:Root) FOREACH (x IN [1, 2, 3] | CREATE (r)-[:HAS]->(:Leaf {v: x}) SET r.last = x)",
    );
    expect(summary.counts).toMatchObject({ nodesCreated: 3, relationshipsCreated: 3, labelsAdded: 3 });
    expect((await graph.run("MATCH (r:Root)-->(l) RETURN r.last, sum(l.v)")).rows).toEqual([[3, 6]]);
  });

  test("FOREACH over null does nothing", async () => {
    const graph = await TestGraph.open();
    const { summary } = await graph.run("FOREACH (x IN $list | CREATE ())", { list: null });
    expect(summary.counts.nodesCreated).toBe(0);
  });

  test("CREATE with a parameter makes a node for each map of a list", async () => {
    const graph = await TestGraph.open();
    const maps = [new Map([["a", 1]]), new Map([["a", 2]])];
    expect((await graph.run("CREATE (n:M {maps}) RETURN n.a", { maps })).rows).toEqual([[1], [2]]);
  });

  test("clauses do not see what later clauses write", async () => {
    const graph = await TestGraph.open("CREATE (:A), (:A)");
    const { summary } = await graph.run("MATCH (a:A) CREATE (:A)");
    expect(summary.counts.nodesCreated).toBe(2);
  });

  test("SET is through for all rows before RETURN looks", async () => {
    const graph = await TestGraph.open("CREATE (:A {v: 1}), (:A {v: 2})");
    const { rows } = await graph.run("MATCH (a:A), (b:A) SET a.v = a.v + 10 RETURN sum(a.v)");
    expect(rows).toEqual([[86]]);
  });

  test("MERGE makes what is missing once, also within one statement", async () => {
    const graph = await TestGraph.open();
    const { summary } = await graph.run(
      "UNWIND [1, 2, 1, 2] AS x MERGE (n:N {x: x}) ON CREATE SET n.made = true ON MATCH SET n.found = true",
    );
    expect(summary.counts.nodesCreated).toBe(2);
    expect(await graph.value("MATCH (n:N) WHERE n.made AND n.found RETURN count(n)")).toBe(2);
  });

  test("MERGE of a relationship between bound nodes, in either direction when it has none", async () => {
    const graph = await TestGraph.open("CREATE (:A)-[:T]->(:B)");
    const { summary } = await graph.run("MATCH (a:A), (b:B) MERGE (b)-[:T]-(a) MERGE (b)-[:T]->(a)");
    expect(summary.counts.relationshipsCreated).toBe(1);
  });

  test("a property name that is new in this statement can be read in it", async () => {
    const graph = await TestGraph.open("CREATE (:A)");
    expect(await graph.value("MATCH (a:A) SET a.brandNew = 5 RETURN a.brandNew")).toBe(5);
    expect(await graph.value("MATCH (a:A) SET a:Fresh WITH a MATCH (f:Fresh) RETURN count(f)")).toBe(1);
    expect(
      await graph.value("MATCH (a:A) CREATE (a)-[:JUST_MADE]->(a) WITH a MATCH (a)-[r:JUST_MADE]->() RETURN count(r)"),
    ).toBe(1);
  });

  test("SET n = map replaces, SET n += map merges, null removes", async () => {
    const graph = await TestGraph.open("CREATE (:A {a: 1, b: 2})");
    expect(await graph.value("MATCH (n:A) SET n = {b: 3, c: 4} RETURN properties(n)")).toEqual({ b: 3, c: 4 });
    expect(await graph.value("MATCH (n:A) SET n += {b: null, d: 5} RETURN properties(n)")).toEqual({ c: 4, d: 5 });
    expect(await graph.value("MATCH (n:A) REMOVE n.c RETURN properties(n)")).toEqual({ d: 5 });
  });

  test("DETACH DELETE takes the relationships along, DELETE takes paths", async () => {
    const graph = await TestGraph.open("CREATE (a:A)-[:T]->(:B)-[:T]->(:C), (a)-[:T]->(a)");
    const { summary } = await graph.run("MATCH (a:A) DETACH DELETE a");
    expect(summary.counts).toMatchObject({ nodesDeleted: 1, relationshipsDeleted: 2 });
    expect((await graph.run("MATCH p = (:B)-->(:C) DELETE p")).summary.counts).toMatchObject({
      nodesDeleted: 2,
      relationshipsDeleted: 1,
    });
  });

  test("a relationship to a missing node is refused", async () => {
    const graph = await TestGraph.open("CREATE (:A)");
    await expect(graph.run("MATCH (a:A) OPTIONAL MATCH (b:B) CREATE (a)-[:T]->(b)")).rejects.toMatchObject({
      code: "ClientError.Statement.EntityNotFound",
    });
  });
});

// What the 2.3.12 server gives.
describe("updates in 2.3", () => {
  test.each([
    ["MATCH (n:P) SET n:Big WITH n MATCH (m:Big) RETURN count(*)", 6],
    ["MATCH (n:P) CREATE (:Q) WITH n MATCH (m:Q) RETURN count(*)", 6],
    ["MATCH (n:P) DELETE n WITH n MATCH (m) RETURN count(*)", 0],
    ["MATCH (n:P) SET n.z = 1 WITH n LIMIT 1 MATCH (m {z: 1}) RETURN count(*)", 1],
  ])("rows go on singly, but for deletions: %s", async (statement, expected) => {
    const graph = await TestGraph.open("CREATE (:P {k: 1}), (:P {k: 2}), (:P {k: 3})");
    expect((await graph.run(`CYPHER 2.3 ${statement}`)).rows).toEqual([[expected]]);
  });

  test.each([
    ["CREATE (c:N) SET c.w = r.w DELETE r RETURN c.w", null],
    ["CREATE (c:N) SET c.w = r.w, r.w = 7 RETURN c.w", 7],
    ["CREATE (c:N {w: r.w}) DELETE r RETURN c.w", 1],
    ["SET a.w = r.w DELETE r RETURN a.w", 1],
    ["CREATE (c:N) SET c.w = r.w CREATE (:N) DELETE r RETURN c.w", 1],
    ["MERGE (d:M) SET d.w = r.w DELETE r RETURN d.w", null],
    ["MERGE (a)-[q:S]->(b) SET q = r DELETE r RETURN q.w", 1],
  ])("what needs nothing made beside it comes first: %s", async (statement, expected) => {
    const graph = await TestGraph.open("CREATE (:P)-[:R {w: 1}]->(:P)");
    expect((await graph.run(`CYPHER 2.3 MATCH (a)-[r:R]->(b) ${statement}`)).rows).toEqual([[expected]]);
  });

  test.each([
    ["MATCH (a:P) SET a.nope = null", 1],
    ["MATCH (a:P) REMOVE a.nope", 0],
    ["MATCH (a:P) REMOVE a.k", 1],
    ["MATCH (a:P) SET a = {nope: null}", 2],
  ])("counts what was set: %s", async (statement, expected) => {
    const graph = await TestGraph.open("CREATE (:P {k: 1})");
    expect((await graph.run(`CYPHER 2.3 ${statement}`)).summary.counts.propertiesSet).toBe(expected);
  });

  test.each([
    ["SET n = {a: 1}", "Expected n to be a node or a relationship, but it was :`null`"],
    ["SET n += null", "Expected n to be a map, but it was :`null`"],
    ["CREATE UNIQUE (n)-[:R]->(m)", "Expected `n` to a node, but it is a null"],
    ["CREATE UNIQUE (n)-->(m)", "This pattern is not supported for CREATE UNIQUE"],
    ["CREATE UNIQUE (n)", "n already declared"],
  ])("of nothing is refused: %s", async (statement, message) => {
    const graph = await TestGraph.open();
    await expect(graph.run(`CYPHER 2.3 OPTIONAL MATCH (n:Nope) ${statement}`)).rejects.toThrow(message);
  });

  test("labels of a deleted node are not to be had", async () => {
    const graph = await TestGraph.open("CREATE (:P)");
    await expect(graph.run("CYPHER 2.3 MATCH (a:P) DELETE a RETURN labels(a)")).rejects.toThrow("Unable to load NODE");
    await expect(graph.run("CYPHER 2.3 MATCH (a:P) DELETE a SET a:X")).rejects.toThrow("Unable to load NODE");
  });
});
