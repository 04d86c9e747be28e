import { beforeAll, describe, expect, it } from "vitest";
import { type PlanDescription } from "../logical-plan/plan-description.ts";
import { TestGraph } from "../statements/test-graph.ts";

/** 2,000 persons of whom 5 are editors, 20 cities, each person in one and knowing some others; cities in 4 countries. */
const SET_UP = [
  "UNWIND range(0, 19) AS i CREATE (:City {name: 'city ' + toString(i)})",
  "UNWIND range(0, 3) AS i CREATE (:Country {name: 'country ' + toString(i)})",
  "MATCH (c:City), (d:Country) WHERE d.name = 'country ' + right(c.name, 1) CREATE (c)-[:LIES_IN]->(d)",
  "UNWIND range(0, 1999) AS i CREATE (:Person {id: i, age: i % 100, town: 'city ' + toString(i % 20)})",
  "MATCH (p:Person), (c:City) WHERE p.town = c.name CREATE (p)-[:LIVES_IN]->(c)",
  "MATCH (p:Person) WHERE p.id % 400 = 0 SET p:Editor",
  "MATCH (p:Person), (q:Person) WHERE q.id IN [p.id + 1, (p.id * 7) % 2000, (p.id * 13) % 2000] CREATE (p)-[:KNOWS]->(q)",
];

describe("plans", () => {
  let graph: TestGraph;

  beforeAll(async () => {
    graph = await TestGraph.open(...SET_UP);
  });

  const planOf = (text: string): readonly string[] =>
    linesOf(graph.engine.inspect(text).plan).filter((line) => !/^(ProduceResults|Argument)/.test(line));

  describe("the order of a pattern", () => {
    it("begins at the label with the fewest nodes, wherever it stands", () => {
      expect(planOf("MATCH (p:Person)-[:KNOWS]->(e:Editor) RETURN p.id, e.id").toReversed()).toEqual([
        "NodeByLabelScan :Editor",
        "Expand(All) (e)<-[:KNOWS]-(p)",
        "Filter p:Person",
        "Projection p.id AS p.id, e.id AS e.id",
      ]);
    });

    it("begins where a comparison leaves the fewest, as samples tell", () => {
      const [start] = planOf("MATCH (p:Person)-[:KNOWS]->(q:Person) WHERE q.age = 7 RETURN p.id").toReversed();
      const turned = planOf("MATCH (p:Person)-[:KNOWS]->(q:Person) WHERE q.age >= 0 AND p.age = 7 RETURN q.id");
      expect(start).toBe("NodeByLabelScan :Person");
      expect(planOf("MATCH (p:Person)-[:KNOWS]->(q:Person) WHERE q.age = 7 RETURN p.id")).toContain(
        "Expand(All) (q)<-[:KNOWS]-(p)",
      );
      expect(turned).toContain("Expand(All) (p)-[:KNOWS]->(q)");
    });

    it("goes along the relationships that lead to few before those that lead to many", () => {
      const plan = planOf(
        "MATCH (c:City)<-[:LIVES_IN]-(p:Person), (c)-[:LIES_IN]->(d:Country {name: 'country 1'}) RETURN count(p), d.name",
      ).toReversed();
      expect(plan.indexOf("Expand(All) (d)<-[:LIES_IN]-(c)")).toBeGreaterThan(0);
      expect(plan.findIndex((line) => line.includes("LIVES_IN"))).toBeGreaterThan(
        plan.indexOf("Expand(All) (d)<-[:LIES_IN]-(c)"),
      );
    });

    it("meets in the middle where both ends are few", () => {
      const plan = planOf(
        "MATCH (a:Editor)-[:KNOWS]->(x)-[:KNOWS]->(y)-[:KNOWS]->(b:Editor) WHERE id(a) = 24 AND id(b) = 424 RETURN x, y",
      );
      expect(plan.filter((line) => line.startsWith("NodeByIdSeek"))).toHaveLength(2);
      expect(plan.some((line) => line.startsWith("Expand(Intersect)"))).toBe(true);
    });

    it("gives the rows of every order", async () => {
      const text = "MATCH (a:Person)-[:KNOWS]->(b)-[:KNOWS]->(c:Editor) WHERE a.age < 50 AND b.age <> 3";
      const counted = await graph.value(`${text} RETURN sum(a.id)`);
      const stepwise = await graph.value(
        "MATCH (a:Person) WHERE a.age < 50 MATCH (a)-[r:KNOWS]->(b) WHERE b.age <> 3 MATCH (b)-[s:KNOWS]->(c) WHERE c:Editor AND r <> s RETURN sum(a.id)",
      );
      expect(counted).toBe(stepwise);
      expect(counted).toBeGreaterThan(0);
    });
  });

  describe("a pattern that closes", () => {
    const closing = "MATCH (a:Editor)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(a)";

    it("is closed by intersecting what its ends lead to", () => {
      expect(planOf(`${closing} RETURN count(*)`).toReversed().slice(0, 3)).toEqual([
        "NodeByLabelScan :Editor",
        "Expand(All) (a)<-[:KNOWS]-(c)",
        "Expand(Intersect) (a)-[:KNOWS]->(b), (c)<-[:KNOWS]-(b)",
      ]);
    });

    it("is closed one by one where little is left to close, and in 2.3, which has an order", () => {
      expect(planOf(`${closing} WHERE c.id = 7 RETURN count(*)`).join()).toContain("Expand(Into)");
      const legacy = linesOf(graph.engine.inspect(`${closing} RETURN count(*)`, "2.3").plan);
      expect(legacy.join()).toContain("Expand(Into)");
    });

    it("of too many parts to be weighed is intersected wherever it closes", () => {
      const names = ["a", "b", "c", "d", "e"];
      const clique = names.flatMap((from, index) => names.slice(index + 1).map((to) => `(${from})-[:KNOWS]->(${to})`));
      const plan = planOf(`MATCH ${clique.join()} WHERE a:Editor RETURN count(*)`).toReversed();
      expect(plan.filter((line) => line.startsWith("Expand("))).toEqual([
        "Expand(All) (a)-[:KNOWS]->(b)",
        "Expand(Intersect) (a)-[:KNOWS]->(c), (b)-[:KNOWS]->(c)",
        "Expand(Intersect) (a)-[:KNOWS]->(d), (b)-[:KNOWS]->(d), (c)-[:KNOWS]->(d)",
        "Expand(Intersect) (a)-[:KNOWS]->(e), (b)-[:KNOWS]->(e), (c)-[:KNOWS]->(e), (d)-[:KNOWS]->(e)",
      ]);
    });

    it("gives the rows of every order", async () => {
      const stepwise =
        "MATCH (a:Person)-[r:KNOWS]->(b) MATCH (b)-[s:KNOWS]->(c) MATCH (c)-[t:KNOWS]-(a) WHERE r <> s AND s <> t AND r <> t";
      const text = "MATCH (a:Person)-[r:KNOWS]->(b)-[s:KNOWS]->(c)-[t:KNOWS]-(a)";
      const sums = "RETURN count(*) + sum(id(a) * id(c)) + sum(id(r) * 3 + id(s) * 7 + id(t) * id(b))";
      expect(planOf(`${text} ${sums}`).join()).toContain("Expand(Intersect)");
      expect(await graph.value(`${text} ${sums}`)).toEqual(await graph.value(`${stepwise} ${sums}`));
    });
  });

  describe("what does not depend on the rows so far", () => {
    it("is found once and joined by its value", async () => {
      const text = "MATCH (p:Person), (c:City) WHERE p.town = c.name AND c.name <> 'city 3' RETURN p.id, c.name";
      expect(planOf(text)).toContainEqual(
        expect.stringMatching(/^ValueHashJoin (c\.name = p\.town|p\.town = c\.name)$/),
      );
      const { rows } = await graph.run(text);
      expect(rows).toHaveLength(1900);
      expect(rows.every(([id, name]) => name === `city ${Number(id) % 20}`)).toBe(true);
    });

    it("is found once where it is filtered, and gone through again where it is not", () => {
      const filtered = planOf("MATCH (p:Person), (q:Person) WHERE p.age = 1 AND q.age = 2 RETURN p.id, q.id");
      expect(filtered.some((line) => line.startsWith("CartesianProduct"))).toBe(true);
      expect(planOf("MATCH (p:Person), (c:City) RETURN p.id, c.name").join()).not.toContain("CartesianProduct");
    });

    it("is asked for by an index where there is one", async () => {
      const indexed = await TestGraph.open(...SET_UP.slice(0, 4), "CREATE INDEX ON :Person(town)");
      const plan = linesOf(indexed.engine.inspect("MATCH (c:City), (p:Person) WHERE p.town = c.name RETURN p.id").plan);
      expect(plan.some((line) => line.startsWith("NodeIndexSeek"))).toBe(true);
      await indexed.store.close();
    });

    it("tells values apart as = does", async () => {
      const values = await TestGraph.open(
        "UNWIND [1, 1.0, 2, 'a', null, 0.0/0.0, true, [1], [2, 3]] AS v CREATE (:L {v: v}) CREATE (:R {v: v})",
        "UNWIND range(1, 40) AS i CREATE (:L {v: 100 + i})",
      );
      const joined = await values.value("MATCH (l:L), (r:R) WHERE l.v = r.v RETURN size(collect(l.v))");
      const compared = await values.value(
        "MATCH (l:L) WITH collect(l) AS ls MATCH (r:R) UNWIND ls AS l WITH l, r WHERE l.v = r.v RETURN size(collect(l.v))",
      );
      expect(joined).toBe(compared);
      await values.store.close();
    });
  });

  it("counts what is collected for its size alone", async () => {
    const text = "MATCH (p:Person) RETURN size(collect(DISTINCT p.town)) + size(collect(p.none)) AS n";
    expect(planOf(text)).toContain("EagerAggregation count(DISTINCT p.town), count(p.none)");
    expect(await graph.value(text)).toBe(20);
  });

  it("judges what is volatile once per row", async () => {
    const rows = Number(await graph.value("MATCH (p:Person) WHERE rand() < 0.5 RETURN count(*)"));
    expect(rows).toBeGreaterThan(800);
    expect(rows).toBeLessThan(1200);
  });

  it("estimates from counts and samples", () => {
    const estimate = (text: string, operator: string): number =>
      estimateOf(graph.engine.inspect(text).plan, operator) ?? Number.NaN;
    expect(estimate("MATCH (p:Person) WHERE p.age < 25 RETURN p", "Filter")).toBeGreaterThan(300);
    expect(estimate("MATCH (p:Person) WHERE p.age < 25 RETURN p", "Filter")).toBeLessThan(700);
    expect(estimate("MATCH (p:Person) WHERE p.id = 7 RETURN p", "Filter")).toBeLessThan(5);
    expect(estimate("MATCH (c:City)<-[:LIVES_IN]-(p) RETURN p.id", "Expand(All)")).toBeCloseTo(2000);
    expect(estimate("MATCH (p:Person) RETURN p.town, count(*)", "EagerAggregation")).toBeLessThan(40);
  });
});

/** Operators with their details, the last one first. */
function linesOf(plan: PlanDescription): readonly string[] {
  return [`${plan.operator} ${plan.details}`.trim(), ...plan.children.flatMap(linesOf)];
}

function estimateOf(plan: PlanDescription, operator: string): number | undefined {
  return plan.operator === operator
    ? plan.estimatedRows
    : plan.children.map((child) => estimateOf(child, operator)).find((rows) => rows !== undefined);
}
