import { describe, expect, it } from "vitest";
import { TestGraph } from "../test-graph.ts";

const UNIQUE = "CREATE CONSTRAINT ON (n:Book) ASSERT n.isbn IS UNIQUE";

describe("a unique constraint", () => {
  it.each([
    "CREATE (:Book {isbn: 1})",
    "CREATE (:Book {isbn: 1.0})",
    "CREATE (n:Book {isbn: 2}) SET n.isbn = 1",
    "CREATE (n {isbn: 1}) SET n:Book",
    "CREATE (n:Book) SET n += {isbn: 1}",
    "CREATE (:Book {isbn: 2}), (:Book {isbn: 2})",
    "FOREACH (i IN [3, 3] | CREATE (:Book {isbn: i}))",
    "UNWIND [5, 5] AS i CREATE (:Book {isbn: i})",
    "MERGE (:Book {isbn: 1, title: 'other'})",
  ])("refuses: %s", async (statement) => {
    const graph = await TestGraph.open(UNIQUE, "CREATE (:Book {isbn: 1, title: 'T'})");
    await expect(graph.run(statement)).rejects.toMatchObject({
      code: "ClientError.Schema.ConstraintViolation",
      message: expect.stringMatching(
        /^Node \d+ already exists with label Book and property "isbn"=\[\d(\.0)?\]$/u,
      ) as unknown,
    });
    expect((await graph.run("MATCH (n) RETURN count(*)")).rows).toEqual([[1]]);
  });

  it("lets values move within a transaction, and take what was freed", async () => {
    const graph = await TestGraph.open(UNIQUE, "CREATE (:Book {isbn: 1}), (:Book {isbn: 2})");
    await graph.run("MATCH (a:Book {isbn: 1}), (b:Book {isbn: 2}) SET a.isbn = null, b.isbn = 1, a.isbn = 2");
    await graph.run("MATCH (a:Book {isbn: 1}) DELETE a CREATE (:Book {isbn: 1, title: 'again'})");
    const { rows } = await graph.run("MATCH (n:Book) RETURN n.isbn, n.title ORDER BY n.isbn");
    expect(rows).toEqual([
      [1, "again"],
      [2, null],
    ]);
  });

  it("leaves the transaction usable after a refusal", async () => {
    const graph = await TestGraph.open(UNIQUE, "CREATE (:Book {isbn: 1})");
    const transaction = graph.store.begin();
    await expect(graph.runIn(transaction, "CREATE (:Book {isbn: 7}) CREATE (:Book {isbn: 1})")).rejects.toThrow();
    await graph.runIn(transaction, "CREATE (:Book {isbn: 7})");
    await transaction.commit();
    expect((await graph.run("MATCH (n:Book) RETURN n.isbn ORDER BY n.isbn")).rows).toEqual([[1], [7]]);
  });
});

describe("MERGE on a unique key", () => {
  it("makes one node, however many merge at once", async () => {
    const graph = await TestGraph.open(UNIQUE);
    const merge = (i: number): Promise<unknown> =>
      graph.run("MERGE (b:Book {isbn: $isbn}) ON CREATE SET b.made = 1 ON MATCH SET b.met = coalesce(b.met, 0) + 1", {
        isbn: i % 5,
      });
    await Promise.all(Array.from({ length: 100 }, (_, i) => merge(i)));
    const { rows } = await graph.run("MATCH (b:Book) RETURN b.isbn, b.made, b.met ORDER BY b.isbn");
    expect(rows).toEqual([0, 1, 2, 3, 4].map((isbn) => [isbn, 1, 19]));
  });

  it("does so for both ends of a path and within one statement", async () => {
    const graph = await TestGraph.open(UNIQUE);
    const link = "MERGE (a:Book {isbn: $from}) MERGE (b:Book {isbn: $to}) MERGE (a)-[:CITES]->(b)";
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => graph.run(link, { from: i % 2, to: 1 - (i % 2) })),
    );
    const codes = outcomes.flatMap((each) =>
      each.status === "rejected" ? [(each.reason as { code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(codes.length === 0 ? [] : ["TransientError.Transaction.DeadlockDetected"]));
    await graph.run("UNWIND [7, 7, 8, 7] AS i MERGE (:Book {isbn: i})");
    expect((await graph.run("MATCH (b:Book) RETURN b.isbn ORDER BY b.isbn")).rows).toEqual([[0], [1], [7], [8]]);
  });

  it("refuses what two different nodes stand in the way of", async () => {
    const graph = await TestGraph.open(
      UNIQUE,
      "CREATE CONSTRAINT ON (n:Book) ASSERT n.code IS UNIQUE",
      "CREATE (:Book {isbn: 1, code: 1}), (:Book {isbn: 2, code: 2})",
    );
    await expect(graph.run("MERGE (n:Book {isbn: 1, code: 2}) RETURN n")).rejects.toMatchObject({
      code: "ClientError.Statement.ConstraintViolation",
      message:
        "Merge did not find a matching node and can not create a new node due to conflicts with existing unique nodes. " +
        "The conflicting constraints are on: :Book.isbn and :Book.code",
    });
    expect((await graph.run("MERGE (n:Book {isbn: 1, code: 1}) RETURN n.isbn")).rows).toEqual([[1]]);
  });
});

describe("a property that must be there", () => {
  it("is looked for at the commit", async () => {
    const graph = await TestGraph.open("CREATE CONSTRAINT FOR (n:Book) REQUIRE n.isbn IS NOT NULL");
    await graph.run("CREATE (n:Book) SET n.isbn = 1");
    for (const statement of ["CREATE (:Book)", "MATCH (n:Book) REMOVE n.isbn", "CREATE (n:Old) SET n:Book"]) {
      await expect(graph.run(statement)).rejects.toMatchObject({ code: "ClientError.Schema.ConstraintViolation" });
    }
    await graph.run("MATCH (n:Book) REMOVE n:Book REMOVE n.isbn");
  });

  it("also of relationships", async () => {
    const graph = await TestGraph.open("CREATE CONSTRAINT FOR ()-[r:KNOWS]-() REQUIRE r.since IS NOT NULL");
    await graph.run("CREATE ()-[:KNOWS {since: 1}]->()");
    await expect(graph.run("CREATE ()-[:KNOWS]->()")).rejects.toThrow(/must have the property `since`/u);
  });
});

it("a name that is empty is refused", async () => {
  const graph = await TestGraph.open();
  for (const statement of ["CREATE (:``)", "CREATE ({``: 1})", "CREATE INDEX ON :``(p)", "CREATE INDEX ON :L(``)"]) {
    await expect(graph.run(statement)).rejects.toMatchObject({ code: "ClientError.Schema.IllegalTokenName" });
  }
});
