import { expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

const legacy = { mode: "2.3" } as const;

async function codeOf(outcome: Promise<unknown>): Promise<string> {
  return outcome.then(
    () => "fine",
    (error: { code: string }) => error.code,
  );
}

test("2.x forms: created once, created again without effect, dropped once", async () => {
  const graph = await TestGraph.open();
  for (const options of [legacy, {}]) {
    const first = await graph.run("CREATE INDEX ON :Person(name)", {}, options);
    expect(first.summary).toMatchObject({ queryType: "s", counts: { indexesAdded: 1 } });
    const second = await graph.run("CREATE INDEX ON :Person(name)", {}, options);
    expect(second.summary.counts.indexesAdded).toBe(0);
    expect((await graph.run("DROP INDEX ON :Person(name)", {}, options)).summary.counts.indexesRemoved).toBe(1);
    await expect(graph.run("DROP INDEX ON :Person(name)", {}, options)).rejects.toMatchObject({
      code: "DatabaseError.Schema.IndexDropFailure",
      message: "Unable to drop index on :Person(name): No such INDEX ON :Person(name).",
    });
  }
});

test("2.x constraints: the words for what is there and what is not", async () => {
  const graph = await TestGraph.open();
  const create = "CREATE CONSTRAINT ON (b:Book) ASSERT b.isbn IS UNIQUE";
  const drop = "DROP CONSTRAINT ON (b:Book) ASSERT b.isbn IS UNIQUE";
  expect((await graph.run(create, {}, legacy)).summary.counts.constraintsAdded).toBe(1);
  expect((await graph.run(create, {}, legacy)).summary.counts.constraintsAdded).toBe(0);
  expect(await codeOf(graph.run("CREATE INDEX ON :Book(isbn)", {}, legacy))).toBe(
    "ClientError.Schema.ConstraintAlreadyExists",
  );
  await expect(graph.run("DROP INDEX ON :Book(isbn)", {}, legacy)).rejects.toMatchObject({
    message: "Unable to drop index on :Book(isbn): Index belongs to constraint: :Book(isbn)",
  });
  expect((await graph.run(drop, {}, legacy)).summary.counts.constraintsRemoved).toBe(1);
  await expect(graph.run(drop, {}, legacy)).rejects.toMatchObject({
    code: "DatabaseError.Schema.ConstraintDropFailure",
    message:
      "Unable to drop CONSTRAINT ON ( book:Book ) ASSERT book.isbn IS UNIQUE:\n" +
      "No such constraint CONSTRAINT ON ( book:Book ) ASSERT book.isbn IS UNIQUE.",
  });
  await expect(graph.run("CREATE CONSTRAINT ON (b:Book) ASSERT exists(b.isbn)", {}, legacy)).rejects.toMatchObject({
    code: "DatabaseError.Schema.ConstraintCreationFailure",
    message: "Unable to create CONSTRAINT ON ( book:Book ) ASSERT exists(book.isbn)",
  });
});

test("modern forms: names, IF [NOT] EXISTS, errors without them", async () => {
  const graph = await TestGraph.open();
  await graph.run("CREATE INDEX people FOR (n:Person) ON (n.name, n.born)");
  expect(await codeOf(graph.run("CREATE INDEX people FOR (n:Person) ON (n.name, n.born)"))).toBe(
    "ClientError.Schema.IndexAlreadyExists",
  );
  expect(await codeOf(graph.run("CREATE INDEX people IF NOT EXISTS FOR (n:Other) ON (n.x)"))).toBe("fine");
  expect(await codeOf(graph.run("CREATE INDEX $name FOR ()-[r:KNOWS]-() ON (r.since)", { name: "since" }))).toBe(
    "fine",
  );
  await graph.run("CREATE CONSTRAINT isbn IF NOT EXISTS FOR (b:Book) REQUIRE b.isbn IS UNIQUE");
  expect(await codeOf(graph.run("CREATE CONSTRAINT isbn FOR (b:Book) REQUIRE b.isbn IS UNIQUE"))).toBe(
    "ClientError.Schema.ConstraintAlreadyExists",
  );
  expect(await codeOf(graph.run("DROP INDEX nothing"))).toBe("ClientError.Schema.NoSuchIndex");
  expect(await codeOf(graph.run("DROP INDEX nothing IF EXISTS"))).toBe("fine");
  expect(await codeOf(graph.run("DROP INDEX isbn"))).toBe("ClientError.Schema.IndexBelongsToConstraint");
  expect(await codeOf(graph.run("DROP CONSTRAINT nothing"))).toBe("ClientError.Schema.NoSuchConstraint");
  expect(await codeOf(graph.run("DROP CONSTRAINT isbn"))).toBe("fine");
  const { rows } = await graph.run("SHOW INDEXES YIELD name, labelsOrTypes, properties ORDER BY name DESC");
  expect(rows).toEqual([
    ["since", ["KNOWS"], ["since"]],
    ["people", ["Person"], ["name", "born"]],
  ]);
});

test("SHOW: usual columns, all of them, filters, conditions, RETURN", async () => {
  const graph = await TestGraph.open(
    "CREATE TEXT INDEX words FOR (n:Doc) ON (n.text)",
    "CREATE CONSTRAINT doc_id FOR (n:Doc) REQUIRE n.id IS NODE KEY",
    "CREATE CONSTRAINT knows_since FOR ()-[r:KNOWS]-() REQUIRE r.since IS NOT NULL",
  );
  const all = await graph.run("SHOW INDEXES");
  expect(all.columns.slice(0, 5)).toEqual(["id", "name", "state", "populationPercent", "type"]);
  expect(all.rows.map((row) => [row[1], row[4], row[9]])).toEqual([
    ["doc_id", "RANGE", "doc_id"],
    ["words", "TEXT", null],
  ]);
  expect((await graph.run("SHOW TEXT INDEXES YIELD *")).columns).toContain("createStatement");
  expect((await graph.run("SHOW INDEXES WHERE createStatement IS NULL")).rows.map((row) => row[1])).toEqual(["doc_id"]);
  const { rows } = await graph.run(
    "SHOW CONSTRAINTS YIELD name, type, entityType AS entity WHERE entity = 'RELATIONSHIP' RETURN type, name AS called",
  );
  expect(rows).toEqual([["RELATIONSHIP_PROPERTY_EXISTENCE", "knows_since"]]);
  expect((await graph.run("SHOW NODE KEY CONSTRAINTS YIELD name")).rows).toEqual([["doc_id"]]);
  expect((await graph.run("SHOW PROCEDURES YIELD name WHERE name = 'db.labels'")).rows).toEqual([["db.labels"]]);
  expect((await graph.run("SHOW FUNCTIONS YIELD name WHERE name = 'coalesce'")).rows).toEqual([["coalesce"]]);
});

test("the statements that SHOW prints make the same again", async () => {
  const setUp = [
    "CREATE RANGE INDEX `a b` FOR (n:`La``bel`) ON (n.`p q`)",
    "CREATE CONSTRAINT rel FOR ()-[r:T]-() REQUIRE r.k IS UNIQUE",
    "CREATE CONSTRAINT both FOR (n:N) REQUIRE (n.a, n.b) IS NODE KEY",
  ];
  const graph = await TestGraph.open(...setUp);
  const printed = [
    ...(await graph.run("SHOW INDEXES YIELD createStatement AS s WHERE s IS NOT NULL RETURN s")).rows,
    ...(await graph.run("SHOW CONSTRAINTS YIELD createStatement AS s RETURN s")).rows,
  ].map(([statement]) => String(statement));
  const again = await TestGraph.open(...printed);
  expect(again.store.schema.indexes).toEqual(expect.arrayContaining([...graph.store.schema.indexes]));
  expect(again.store.schema.constraints).toEqual(expect.arrayContaining([...graph.store.schema.constraints]));
});

test("EXPLAIN of a schema command changes nothing", async () => {
  const graph = await TestGraph.open();
  const { summary } = await graph.run("EXPLAIN CREATE INDEX ON :A(p)");
  expect(summary.plan?.operator).toBe("CreateIndex");
  expect(graph.store.schema.indexes).toEqual([]);
});

test("schema and data in one transaction are refused either way round", async () => {
  const graph = await TestGraph.open();
  const data = graph.store.begin();
  await graph.runIn(data, "CREATE (:A {p: 1})");
  expect(await codeOf(graph.runIn(data, "CREATE INDEX ON :A(p)"))).toBe("ClientError.Transaction.InvalidType");
  data.rollback();
  const schema = graph.store.begin();
  await graph.runIn(schema, "CREATE INDEX ON :A(p)");
  expect(await codeOf(graph.runIn(schema, "CREATE (:A {p: 1})"))).toBe("ClientError.Statement.ConstraintViolation");
});
