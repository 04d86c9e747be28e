import { describe, expect, it } from "vitest";
import { TestGraph } from "../statements/test-graph.ts";
import { type Notification } from "./notification.ts";

const SET_UP = "CREATE (:A {k: 1})-[:R]->(:B)";

async function explain(statement: string): Promise<readonly Notification[]> {
  const graph = await TestGraph.open(SET_UP);
  return (await graph.run(statement)).summary.notifications;
}

/** The last word of a code, what the description says in parentheses at its end, and the offset. */
function short({ code, description, position }: Notification): string {
  const detail = /\(([^()]*(?:\([^()]*\))?)\)$/u.exec(description)?.[1] ?? "";
  return `${code.split(".")[2]} ${detail} @${position?.offset ?? "-"}`;
}

describe("notifications", () => {
  it.each([
    ["MATCH (a), (b) RETURN a", ["CartesianProduct identifier is: (b) @0"]],
    ["MATCH (a)--(c), (b)--(d) RETURN a", ["CartesianProduct identifiers are: (b, d) @0"]],
    // Measured: the third pattern joins the first group only.
    ["MATCH (a), (b), (a)-->(b) RETURN a", ["CartesianProduct identifier is: (b) @0"]],
    ["MATCH (a)-->(b), (b)-->(c), (c)-->(d) RETURN a", []],
    ["RETURN length(null)", ["DeprecationWarning  @14"]],
    ["MATCH (a:A), (b:B), p = shortestPath((a)-[*..4]->(b)) RETURN p", ["CartesianProduct identifier is: (b) @0"]],
    ["MATCH (a) OPTIONAL MATCH (b) RETURN a", []],
    ["MATCH (n:Nope) RETURN n", ["LabelMissingWarning the missing label name is: Nope @9"]],
    ["MATCH (n) WHERE n:Nope RETURN n", ["LabelMissingWarning the missing label name is: Nope @18"]],
    ["MATCH ()-[:R|NOPE]->() RETURN 1", ["RelTypeMissingWarning the missing relationship type is: NOPE @13"]],
    [
      "MATCH (n {no: 1}) RETURN n.nope",
      [
        "PropertyNameMissingWarning the missing property name is: no @10",
        "PropertyNameMissingWarning the missing property name is: nope @27",
      ],
    ],
    ["CREATE (n:Newly {nope: 1}) SET n:Other", []],
    ["MATCH n-->m RETURN n", ["DeprecationWarning  @6", "DeprecationWarning  @10"]],
    ["MATCH p = (a)-->() RETURN length(p)", []],
    ["MATCH p = shortestPath((:A)-[*]->(:B)) RETURN p", ["UnboundedPatternWarning  @27"]],
    ["MATCH (a:A) USING INDEX a:A(k) WHERE a.k = 1 RETURN a", ["NoSuchIndex hinted index is: index on :A(k) @-"]],
  ])("tells of %s", async (statement, expected) => {
    const found = await explain(`EXPLAIN CYPHER 2.3 ${statement}`);
    expect(found.map(short)).toEqual(expected);
  });

  it("counts places from behind the prefixes in 2.3, from the beginning else", async () => {
    const [legacy] = await explain("EXPLAIN CYPHER 2.3\nRETURN length('abc')");
    expect(legacy?.position).toEqual({ offset: 14, line: 1, column: 15 });
    const [modern] = await explain("EXPLAIN\nMATCH (a),\n(b:Nope) RETURN a, b").then((all) =>
      all.filter((each) => each.code.endsWith("LabelMissingWarning")),
    );
    expect(modern?.position).toEqual({ offset: 22, line: 3, column: 4 });
  });

  it("tells of Eager above LOAD CSV", async () => {
    const found = await explain("EXPLAIN LOAD CSV FROM 'file:///x' AS row MATCH (a:A) CREATE (:A {k: row[0]})");
    expect(found.map(short)).toEqual(["EagerWarning  @-"]);
    expect(await explain("EXPLAIN LOAD CSV FROM 'file:///x' AS row CREATE (:A {k: row[0]})")).toEqual([]);
  });

  it("tells nothing where nothing is explained", async () => {
    expect(await explain("MATCH (a), (b) RETURN a")).toEqual([]);
  });

  it("tells of the old way to choose a planner", async () => {
    const [only] = await explain("EXPLAIN PLANNER COST MATCH (n) RETURN n");
    expect(only).toMatchObject({ code: "ClientNotification.Statement.DeprecationWarning", position: undefined });
  });

  it.each([
    ["WHERE n[$key] = 1", true],
    ["WHERE n.k = 1 AND n[$key] IN [1]", true],
    ["WHERE n['k'] = 1", false],
    ["WHERE n[$key] = m[$key]", false],
    ["WHERE NOT n[$key] = 1", false],
  ])("tells of dynamic properties that miss an index: %s", async (where, isTold) => {
    const graph = await TestGraph.open(SET_UP);
    await graph.run("CREATE INDEX FOR (n:A) ON (n.k)");
    const { summary } = await graph.run(`EXPLAIN MATCH (n:A)-->(m) ${where} RETURN n`, { key: "k" });
    const found = summary.notifications.map(short);
    expect(found).toEqual(isTold ? ["DynamicPropertyWarning indexed label is: (A) @-"] : []);
  });

  it("suggests a name that is nearly the same, in modern Cypher", async () => {
    const graph = await TestGraph.open("CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person)");
    const tell = async (prefix: string): Promise<readonly string[]> => {
      const statement = `${prefix} EXPLAIN MATCH (n:Persn)-[:KNOWN]->(m) WHERE m:Person RETURN n.nmae`;
      return (await graph.run(statement)).summary.notifications.map(short);
    };
    expect(await tell("CYPHER 5")).toEqual([
      expect.stringContaining("Persn; did you mean Person?"),
      expect.stringContaining("KNOWN; did you mean KNOWS?"),
      expect.stringContaining("nmae; did you mean name?"),
    ]);
    expect((await tell("CYPHER 2.3")).join("\n")).not.toContain("did you mean");
  });
});
