import { describe, expect, test } from "vitest";
import { type Value } from "../../values/value.ts";
import { TestGraph } from "../test-graph.ts";

const SET_UP = "CREATE (a:P {k: 1}), (b:P {k: 2}), (c:P {k: 3}), (a)-[:R {w: 1}]->(b)";

/** What a 2.3 server made of it: how many nodes and relationships, and what came back (measured). */
describe("CREATE UNIQUE", () => {
  test.each([
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R]->(x {k: 2}) RETURN x.k", [2], 0, 0],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R]->(x {k: null}) RETURN x.k", [null], 1, 1],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R]->(x {k: {p}}) RETURN x.k", [null], 1, 1],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R {w: null}]->(x {k: 2}) RETURN x.k", [2], 1, 1],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R]-(x) RETURN x.k", [2], 0, 0],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[r:S]-(x) RETURN startNode(r) = x", [true], 1, 1],
    ["MATCH (a {k: 1}) CREATE UNIQUE (x)-[r:S]-(a) RETURN startNode(r) = x", [true], 1, 1],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)<-[r:S]->(x) RETURN startNode(r) = x", [true], 1, 1],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R]->(x), (a)-[:S]->(x {k: 2}) RETURN x.k", [2], 0, 1],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R]->(x:P), (a)-[:S]->(x:P) RETURN x.k", [2], 0, 1],
    ["MATCH (a {k: 1}) MERGE (a)-[:R]->(x {k: null}) RETURN x.k", [null], 1, 1],
  ])("%s", async (statement, row, nodes, relationships) => {
    const graph = await TestGraph.open(SET_UP);
    const { rows, summary } = await graph.run(`CYPHER 2.3 ${statement}`, { p: null });
    expect(rows).toEqual([row]);
    expect([summary.counts.nodesCreated, summary.counts.relationshipsCreated]).toEqual([nodes, relationships]);
  });

  test.each([
    [
      "MATCH (a {k: 1}) CREATE UNIQUE (a)-[:R]->(x {k: 2}), (a)-[:S]->(x {k: 2})",
      "`x` can't have properties assigned to it more than once in the CREATE UNIQUE statement",
    ],
    ["MATCH (a {k: 1}) CREATE UNIQUE (x)", "This pattern is not supported for CREATE UNIQUE"],
    ["MATCH (a {k: 1}) CREATE UNIQUE (a)", "a already declared"],
    ["MATCH (a {k: 1}) CREATE UNIQUE (x)-[:R]->(y)", "Unbound pattern!"],
  ])("%s is refused", async (statement, message) => {
    const graph = await TestGraph.open(SET_UP);
    await expect(graph.run(`CYPHER 2.3 ${statement}`)).rejects.toThrow(message);
  });
});

/** Each twice: what is there is found by the keys that the parameter has, more of them do no harm (measured). */
describe("CREATE UNIQUE with a parameter for all properties", () => {
  test.each([
    ["(a)-[r:S {given}]->(x)", 1, [2, null]],
    ["(a)-[r:S]->(x {given})", 1, [null, 2]],
    ["(a)-[r:S]->(x:X {given})", 1, [null, 2]],
    ["(a)-[r:T {given}]->(x)", 0, [2, null]],
    ["(a)-[r:U {given}]->(x)", 1, [2, null]],
    ["(a)-[r:S {none}]->(x {none})", 1, [null, null]],
  ])("%s", async (pattern, made, row) => {
    const graph = await TestGraph.open(
      "CREATE (a:A)-[:T {k: 'x', l: [1, 2], more: 1}]->(), (a)-[:U {k: 'x'}]->(), (a)-[:U {k: 'y', l: [1, 2]}]->()",
    );
    const given = new Map<string, Value>([
      ["k", "x"],
      ["l", [1, 2]],
    ]);
    const statement = `CYPHER 2.3 MATCH (a:A) CREATE UNIQUE ${pattern} RETURN length(r.l), length(x.l)`;
    const first = await graph.run(statement, { given, none: new Map() });
    expect([first.summary.counts.relationshipsCreated, first.rows]).toEqual([made, [row]]);
    const second = await graph.run(statement, { given, none: new Map() });
    expect([second.summary.counts.relationshipsCreated, second.rows]).toEqual([0, [row]]);
  });
});

/** Where the direction is left open: who each new relationship starts at, `a` and `z` being there already (measured). */
describe("CREATE UNIQUE without a direction", () => {
  test.each([
    ["(a)-[r:S]-(z)", "a"],
    ["(z)-[r:S]-(a)", "a"],
    ["p = (z)-[r:S]-(a)", "z"],
    ["(z)-[r:S]-(a)-[s:T]-(z)", "aa"],
    ["(z)-[r:S]-(n {k: 'n'})-[s:S]-(a)", "nn"],
    ["(z)-[r:S]-(m {k: 'm'})-[s:S]-(n {k: 'n'})-[t:S]-(a)", "mmn"],
    ["(z)-[r:S]-(n {k: 'n'})-[s:S]-(m {k: 'm'})-[t:S]-(a)", "nmm"],
    ["p = (z)-[r:S]-(n {k: 'n'})-[s:S]-(m {k: 'm'})-[t:S]-(a)", "nnm"],
    ["(z)-[r:S]-({k: 'm'})-[s:S]-({k: 'n'})-[t:S]-(a)", "mmn"],
    ["(z)-[r:S]-(m {k: 'm'})-[s:S]-(o {k: 'o'})-[t:S]-(n {k: 'n'})-[u:S]-(a)", "moon"],
    ["(x {k: 'x'})-[r:S]->(y {k: 'y'}), (a)-[s:T]->(x)", "xa"],
  ])("%s", async (pattern, starts) => {
    const graph = await TestGraph.open("CREATE (:A {k: 'a'}), (:Z {k: 'z'})");
    const made = ["r", "s", "t", "u"].slice(0, starts.length).map((name) => `startNode(${name}).k`);
    const { rows } = await graph.run(
      `CYPHER 2.3 MATCH (a:A), (z:Z) CREATE UNIQUE ${pattern} RETURN ${made.join(" + ")} AS starts`,
    );
    expect(rows).toEqual([[starts]]);
  });
});

describe("the kind of a transaction (measured)", () => {
  const DATA_AFTER_SCHEMA = "Cannot perform data updates in a transaction that has performed schema updates.";
  const SCHEMA_AFTER_DATA = "Cannot perform schema updates in a transaction that has performed data updates.";

  test.each([
    ["CREATE INDEX ON :New(x)", "CREATE (n)", "ClientError.Statement.ConstraintViolation", DATA_AFTER_SCHEMA],
    ["CREATE INDEX ON :New(x)", "MERGE (n:New)", "ClientError.Statement.ConstraintViolation", DATA_AFTER_SCHEMA],
    ["CREATE INDEX ON :New(x)", "MATCH (n:P) SET n.x = 1", "ClientError.Transaction.InvalidType", DATA_AFTER_SCHEMA],
    ["CREATE INDEX ON :New(x)", "MATCH (n {k: 3}) DELETE n", "ClientError.Transaction.InvalidType", DATA_AFTER_SCHEMA],
    ["CREATE (n)", "DROP INDEX ON :New(x)", "ClientError.Transaction.InvalidType", SCHEMA_AFTER_DATA],
    [
      "CREATE (n)",
      "DROP CONSTRAINT ON (n:New) ASSERT n.x IS UNIQUE",
      "ClientError.Transaction.InvalidType",
      SCHEMA_AFTER_DATA,
    ],
    ["RETURN 1", "DROP INDEX ON :New(x)", "DatabaseError.Schema.IndexDropFailure", "No such INDEX ON :New(x)."],
  ])("%s, then %s", async (first, second, code, message) => {
    const graph = await TestGraph.open(SET_UP);
    const transaction = graph.store.begin();
    await graph.runIn(transaction, first, {}, { mode: "2.3" });
    const failure = await graph.runIn(transaction, second, {}, { mode: "2.3" }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code, message: expect.stringContaining(message) as unknown });
    transaction.rollback();
  });
});
