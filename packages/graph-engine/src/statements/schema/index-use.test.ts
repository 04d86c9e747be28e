import { describe, expect, it } from "vitest";
import { type PlanDescription } from "../../logical-plan/plan-description.ts";
import { TestGraph } from "../test-graph.ts";

const legacy = { mode: "2.3" } as const;

async function people(...schema: readonly string[]): Promise<TestGraph> {
  return TestGraph.open(
    "UNWIND range(1, 200) AS i CREATE (:Person {id: i, name: 'p' + i, group: i % 10, born: 1900 + i / 2.0})",
    "CREATE (:Person {id: 'x', name: true}), (:Person {group: [1, 2]}), (:Other {id: 1})",
    ...schema,
  );
}

function operators(plan: PlanDescription | undefined): readonly string[] {
  return plan === undefined ? [] : [plan.operator, ...plan.children.flatMap(operators)];
}

async function planOf(graph: TestGraph, text: string, options = {}): Promise<readonly string[]> {
  return operators((await graph.run(`EXPLAIN ${text}`, {}, options)).summary.plan);
}

const STATEMENTS = [
  ["n.id = 17", "NodeUniqueIndexSeek"],
  ["17.0 = n.id", "NodeUniqueIndexSeek"],
  ["n.id IN [3, 5, null, 'x', 1000]", "NodeUniqueIndexSeek"],
  ["n.id > 190", "NodeUniqueIndexSeekByRange"],
  ["n.id >= 5 AND n.id < 7.5", "NodeUniqueIndexSeekByRange"],
  ["5 < n.id <= 8", "NodeUniqueIndexSeekByRange"],
  ["n.name STARTS WITH 'p19'", "NodeIndexSeekByRange"],
  ["n.name = 'p4'", "NodeIndexSeek"],
  ["n.group = [1, 2]", "NodeIndexSeek"],
  ["n.group = 3 AND n.born > 1950", "NodeIndexSeek"],
  ["n.name IS NOT NULL AND n.name <> 'p3'", "NodeIndexScan"],
  ["n.id = null", "NodeUniqueIndexSeek"],
  ["n.id = {a: 1}", "NodeUniqueIndexSeek"],
  ["n.id > [1]", "NodeUniqueIndexSeekByRange"],
  ["n.id > null", "NodeUniqueIndexSeekByRange"],
  ["n.name STARTS WITH null", "NodeIndexSeekByRange"],
  ["n.id = n.group", "NodeByLabelScan"],
  ["n.id = 3 OR n.id = 4", "NodeByLabelScan"],
] as const;

describe("a predicate that an index answers", () => {
  it.each(STATEMENTS)("%s: %s, and the same rows as without", async (predicate, operator) => {
    const statement = `MATCH (n:Person) WHERE ${predicate} RETURN id(n) AS id ORDER BY id`;
    const without = await people();
    const graph = await people(
      "CREATE CONSTRAINT ON (n:Person) ASSERT n.id IS UNIQUE",
      "CREATE INDEX ON :Person(name)",
      "CREATE INDEX ON :Person(group)",
    );
    expect(await planOf(graph, statement)).toContain(operator);
    expect((await graph.run(statement)).rows).toEqual((await without.run(statement)).rows);
  });

  it("is found with what the transaction itself has written, and without what it has changed", async () => {
    const graph = await people("CREATE INDEX ON :Person(id)");
    const { rows } = await graph.run(
      `MATCH (a:Person {id: 1}) SET a.id = 2 CREATE (:Person {id: 1, name: 'new'})
       WITH 1 AS one MATCH (n:Person) WHERE n.id IN [one, 2] RETURN n.name AS name ORDER BY name`,
    );
    expect(rows).toEqual([["new"], ["p1"], ["p2"]]);
  });

  it("is asked once per row of what comes before", async () => {
    const graph = await people("CREATE INDEX ON :Person(id)");
    const statement = "UNWIND [3, 1, 3, 9999] AS i MATCH (n:Person {id: i}) RETURN i, n.name";
    expect(await planOf(graph, statement)).toContain("NodeIndexSeek");
    expect((await graph.run(statement)).rows).toEqual([
      [3, "p3"],
      [1, "p1"],
      [3, "p3"],
    ]);
  });

  it("is taken over several properties at once, in any order", async () => {
    const graph = await people("CREATE INDEX FOR (n:Person) ON (n.group, n.name)");
    const statement = "MATCH (n:Person {name: 'p13', group: 3}) RETURN n.id";
    expect(await planOf(graph, statement)).toContain("NodeIndexSeek");
    expect((await graph.run(statement)).rows).toEqual([[13]]);
    expect(await planOf(graph, "MATCH (n:Person {name: 'p13'}) RETURN n")).not.toContain("NodeIndexSeek");
  });

  it("is planned anew when the index comes and when it goes", async () => {
    const graph = await people();
    const statement = "MATCH (n:Person {id: 5}) RETURN n.name";
    expect(await planOf(graph, statement)).toContain("NodeByLabelScan");
    await graph.run("CREATE INDEX people FOR (n:Person) ON (n.id)");
    expect(await planOf(graph, statement)).toContain("NodeIndexSeek");
    expect((await graph.run(statement)).rows).toEqual([["p5"]]);
    await graph.run("DROP INDEX people");
    expect(await planOf(graph, statement)).toContain("NodeByLabelScan");
    expect((await graph.run(statement)).rows).toEqual([["p5"]]);
  });
});

describe("2.3", () => {
  it("finds what does not compare, with an index as without; a hint asks the index alone", async () => {
    const graph = await people("CREATE INDEX ON :Person(id)");
    const error = { code: "ClientError.Statement.InvalidSyntax" };
    await expect(graph.run("MATCH (n:Person) WHERE n.id > 198 RETURN n.id", {}, legacy)).rejects.toMatchObject(error);
    const hinted = "MATCH (n:Person) USING INDEX n:Person(id) WHERE n.id > 198 RETURN n.id";
    expect((await graph.run(hinted, {}, legacy)).rows).toEqual([[199], [200]]);
  });
});

describe("hints", () => {
  it.each([
    ["MATCH (a)--(m)--(b) USING JOIN ON m RETURN a", []],
    ["MATCH (a)-->(m)<--(b), (b)-->(c) USING JOIN ON b RETURN a", []],
    ["MATCH (a)--(m)--(b) USING JOIN ON a RETURN a", ["ClientNotification.Statement.JoinHintUnfulfillableWarning"]],
  ])("on a join that cannot be: %s", async (text, codes) => {
    const graph = await TestGraph.open();
    const { notifications } = (await graph.run(`EXPLAIN ${text}`, {}, legacy)).summary;
    expect(notifications.map(({ code }) => code)).toEqual(codes);
  });

  it("decide where to begin", async () => {
    const graph = await people("CREATE INDEX ON :Person(id)", "CREATE INDEX ON :Person(name)");
    const plan = (hint: string): Promise<readonly string[]> =>
      planOf(graph, `MATCH (n:Person) ${hint} WHERE n.id = 1 AND n.name = 'p1' RETURN n`);
    expect(await plan("USING SCAN n:Person")).toContain("NodeByLabelScan");
    expect(await plan("USING INDEX n:Person(name)")).toContain("NodeIndexSeek");
  });

  it.each([
    ["MATCH (n) USING INDEX n:Person(id) WHERE n.id = 1 RETURN n", /^Cannot use index hint in this context/u],
    ["MATCH (n:Person) USING INDEX n:Person(id) WHERE n.x = 1 RETURN n", /^Cannot use index hint in this context/u],
    ["MATCH (n:Person) USING INDEX n:Person(id) WHERE n.id = n.x RETURN n", /^Cannot use index hint in this context/u],
    ["MATCH (n:Person) USING INDEX n:Person(id) WHERE n.id <> 1 RETURN n", /^Cannot use index hint in this context/u],
    ["MATCH (n:Person) USING INDEX m:Person(id) WHERE n.id = 1 RETURN n", /^m not defined/u],
    ["MATCH (n:Person) USING SCAN n:Other WHERE n.id = 1 RETURN n", /^Cannot use label scan hint in this context/u],
    ["MATCH (n:Person) USING JOIN ON n WHERE n.id = 1 RETURN n", /^Cannot use join hint for single node pattern/u],
    [
      "MATCH (n:Person) USING INDEX n:Person(id) USING SCAN n:Person WHERE n.id = 1 RETURN n",
      /^Multiple hints for same identifier are not supported \(line 1, column 30/u,
    ],
    [
      "MATCH (n:Person) USING INDEX n:Person(id) WHERE n.id CONTAINS 'x' RETURN n",
      /^No useful predicate was found for your index hint/u,
    ],
    [
      "START n=node(*) MATCH (n)--(m) USING JOIN ON m RETURN n",
      /^Cannot use index hints with start clause \(line 1, column 32/u,
    ],
  ])("%s", async (statement, message) => {
    const graph = await TestGraph.open("CREATE INDEX ON :Person(id)");
    await expect(graph.run(statement, {}, legacy)).rejects.toThrow(message);
  });
});
