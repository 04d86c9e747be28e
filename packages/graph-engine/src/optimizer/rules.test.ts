import { type PlanDescription } from "../logical-plan/plan-description.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { TestGraph } from "../statements/test-graph.ts";

/** Loops, parallel relationships, dead ends and a circle; 40 nodes so that columns and runs are dense. */
const SET_UP = [
  "UNWIND range(0, 39) AS i CREATE (:N {i: i, p: i % 5, name: 'n' + toString(i % 7)})",
  "MATCH (a:N), (b:N) WHERE (a.i * 7 + b.i * 3) % 11 = 0 CREATE (a)-[:R {w: b.i}]->(b)",
  "MATCH (a:N), (b:N) WHERE a.i % 8 = 0 AND b.i % 9 = 0 CREATE (a)-[:R]->(b), (a)-[:S]->(b)",
  "MATCH (a:N) WHERE a.i % 6 = 0 CREATE (a)-[:R]->(a)",
];

describe("rules of the optimizer", () => {
  let graph: TestGraph;

  beforeAll(async () => {
    graph = await TestGraph.open(...SET_UP);
  });

  describe("count the last expand", () => {
    it.each([
      ["MATCH (a:N)-[:R]->(b)", ""],
      ["MATCH (a:N)-[:R]->(b)-[:R]->(c)", ""],
      ["MATCH (a:N)-[:R]->(b)<-[:R]-(c)", ""],
      ["MATCH (a:N)<-[:R]-(b)-[:R]->(c)", ""],
      ["MATCH (a:N)-[:R]->(b)-[:R]->(c)-[:R]->(d)", ""],
      ["MATCH (a:N)-[:R]->(b)-[:S]->(c)", ""],
      ["MATCH (a:N)-[:R]->(b)-[:R]->(c)", "WHERE a.p > 1 AND b.p < 4 AND c.p > 2"],
      ["MATCH (a:N)-[:R]->(b)<-[:R]-(c)", "WHERE c.name = 'n3'"],
      ["MATCH (a:N)-[:R]->(b)-[s:R]->(c)", "WHERE s.w > 20"],
      ["MATCH (a:N)-[:R|S]->(b)-[:R]->(c)", ""],
      ["MATCH (a:N)-[:R]-(b)-[:R]-(c)", "WHERE c.p = 1"],
    ])("counts %s %s as it would enumerate", async (match, where) => {
      const ends = match.includes("(d)") ? "d" : match.includes("(c)") ? "c" : "b";
      const counted = await graph.value(`${match} ${where} RETURN count(*)`);
      const enumerated = await graph.value(`${match} ${where} RETURN size(collect(id(${ends})))`);
      expect(counted).toBe(enumerated);
      expect(counted).toBeGreaterThan(0);
    });

    it("counts by group", async () => {
      const match = "MATCH (a:N)-[:R]->(b)-[:R]->(c) WHERE c.p > 1";
      const counted = await graph.run(`${match} RETURN a.p AS p, count(c) AS n ORDER BY p`);
      const enumerated = await graph.run(`${match} RETURN a.p AS p, size(collect(id(c))) AS n ORDER BY p`);
      expect(counted.rows).toEqual(enumerated.rows);
    });

    it("stands in the plan only where nothing else reads what is found", () => {
      const operators = (text: string): readonly string[] => operatorsOf(graph.engine.inspect(text).plan);
      expect(operators("MATCH (a)-[:R]->(b) RETURN count(b)")).toContain("Expand(Count)");
      expect(operators("MATCH (a)-[:R]->(b) RETURN count(DISTINCT b)")).not.toContain("Expand(Count)");
      expect(operators("MATCH (a)-[:R]->(b) RETURN b.p, count(*)")).not.toContain("Expand(Count)");
      expect(operators("MATCH (a)-[:R]->(b) WHERE b.p > a.p RETURN count(*)")).not.toContain("Expand(Count)");
      expect(operators("MATCH (a)-[:R]->(b) WHERE rand() > b.p RETURN count(*)")).not.toContain("Expand(Count)");
      expect(operators("MATCH (a)-[:R]->(b) RETURN sum(b.p)")).not.toContain("Expand(Count)");
    });
  });

  describe("prune walks to distinct ends", () => {
    it.each([
      ["(a:N {i: 6})-[:R*1..3]->(b)"],
      ["(a:N {i: 6})-[:R*0..2]->(b)"],
      ["(a:N {i: 7})<-[:R*..2]-(b)"],
      ["(a:N {i: 1})-[:R|S*1..2]->(b)"],
    ])("finds the ends of %s", async (pattern) => {
      const pruned = await graph.run(`MATCH ${pattern} RETURN DISTINCT b.i AS i ORDER BY i`);
      const walked = await graph.run(`MATCH ${pattern} WITH b.i AS i, count(*) AS walks RETURN i ORDER BY i`);
      expect(pruned.rows).toEqual(walked.rows);
      expect(await graph.value(`MATCH ${pattern} RETURN count(DISTINCT b)`)).toBe(walked.rows.length);
    });

    it("leaves walks whole that are read", () => {
      const operators = (text: string): readonly string[] => operatorsOf(graph.engine.inspect(text).plan);
      expect(operators("MATCH (a)-[:R*1..3]->(b) RETURN DISTINCT b")).toContain("VarLengthExpand(Pruning)");
      expect(operators("MATCH (a)-[r:R*1..3]->(b) RETURN DISTINCT b, size(r)")).toContain("VarLengthExpand(All)");
      expect(operators("MATCH (a)-[:R*2..3]->(b) RETURN DISTINCT b")).toContain("VarLengthExpand(All)");
      expect(operators("MATCH (a)-[:R*1..3]-(b) RETURN DISTINCT b")).toContain("VarLengthExpand(All)");
      expect(operators("MATCH (a)-[:R*1..3]->(b) RETURN b")).toContain("VarLengthExpand(All)");
    });
  });

  it("answers the same from a view with writes of its own", async () => {
    const statements = [
      "MATCH (a:N)-[:R]->(b)-[:R]->(c) WHERE c.p > 2 RETURN count(*)",
      "MATCH (a:N)-[:R]->(b:N)-[:R]->(a) RETURN count(*)",
      "MATCH (a:N {i: 6})-[:R*1..3]->(b) RETURN count(DISTINCT b)",
      "MATCH (a:N) RETURN a.name AS name, count(*) AS n ORDER BY name",
    ];
    for (const text of statements) {
      const clean = await graph.run(text);
      const transaction = graph.store.begin();
      await graph.runIn(transaction, "CREATE (:Other {i: 6})-[:T]->(:Other)");
      expect((await graph.runIn(transaction, text)).rows).toEqual(clean.rows);
      transaction.rollback();
    }
  });
});

function operatorsOf(plan: PlanDescription): readonly string[] {
  return [plan.operator, ...plan.children.flatMap(operatorsOf)];
}
