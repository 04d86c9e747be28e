import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

describe("START", () => {
  test("takes ids, lists of ids, all, and goes on as a product", async () => {
    const graph = await TestGraph.open("CREATE (:A {v: 0})-[:T {w: 9}]->(:A {v: 1})");
    expect((await graph.run("START n=node(1, 0, 1) RETURN n.v")).rows).toEqual([[1], [0], [1]]);
    expect((await graph.run("START n=node({ids}) RETURN n.v", { ids: [1] })).rows).toEqual([[1]]);
    expect((await graph.run("START n=node({id}) RETURN n.v", { id: 0 })).rows).toEqual([[0]]);
    expect((await graph.run("START a=node(*), b=node(*) WHERE a.v < b.v RETURN a.v, b.v")).rows).toEqual([[0, 1]]);
    expect((await graph.run("START r=rel(0) RETURN r.w")).rows).toEqual([[9]]);
    expect((await graph.run("START n=node(0) MATCH (n)-[r]->(m) RETURN m.v, r.w")).rows).toEqual([[1, 9]]);
  });

  test("refuses an id that is not there", async () => {
    const graph = await TestGraph.open();
    await expect(graph.run("START n=node(99) RETURN n")).rejects.toMatchObject({
      code: "ClientError.Statement.EntityNotFound",
      message: "Node with id 99",
    });
  });

  test("says of what cannot run yet where it is", async () => {
    const graph = await TestGraph.open();
    await expect(graph.run("CALL { CREATE () } IN TRANSACTIONS")).rejects.toMatchObject({
      code: "ClientError.Statement.InvalidSyntax",
      message: expect.stringContaining("CALL { … } IN TRANSACTIONS is not supported yet (line 1, column 20"),
    });
  });
});

describe("mode 2.3", () => {
  test("has its own words for a name nobody knows", async () => {
    const graph = await TestGraph.open();
    await expect(graph.run("CYPHER 2.3 RETURN x")).rejects.toMatchObject({
      message: 'x not defined (line 1, column 19 (offset: 18))\n"CYPHER 2.3 RETURN x"\n                   ^',
    });
    await expect(graph.run("RETURN x")).rejects.toMatchObject({
      message: expect.stringMatching(/^Variable `x` not defined \(line 1, column 8/),
    });
  });

  test("takes a pattern for the list of its paths, and a list for a truth value", async () => {
    const graph = await TestGraph.open("CREATE (:A)-[:T]->(:B)");
    expect(await graph.value("CYPHER 2.3 MATCH (a:A) RETURN length((a)-->())")).toBe(1);
    expect(await graph.value("CYPHER 2.3 MATCH (a:A) WHERE [1] RETURN count(a)")).toBe(1);
  });
});

describe("CREATE UNIQUE", () => {
  test("takes what is there and makes the rest, hop by hop", async () => {
    const graph = await TestGraph.open("CREATE (:A {k: 1})-[:R]->(:B {k: 2})");
    const text = "MATCH (a:A) CREATE UNIQUE p = (a)-[:R]->(b {k: 2})-[:S]->(c:C {k: 3}) RETURN length(p), c.k";
    expect(await graph.run(text)).toMatchObject({
      rows: [[2, 3]],
      summary: { counts: { nodesCreated: 1, relationshipsCreated: 1 } },
    });
    expect((await graph.run(text)).summary.counts).toMatchObject({ nodesCreated: 0, relationshipsCreated: 0 });
  });

  test("works from whichever end is bound", async () => {
    const graph = await TestGraph.open("CREATE (:A), (:B)");
    const { summary } = await graph.run("MATCH (b:B) CREATE UNIQUE ()-[:X]->()<-[:Y]-(b)");
    expect(summary.counts).toMatchObject({ nodesCreated: 2, relationshipsCreated: 2 });
  });

  test("needs something bound", async () => {
    const graph = await TestGraph.open();
    await expect(graph.run("CREATE UNIQUE (a)-[:R]->(b)")).rejects.toMatchObject({
      code: "ClientError.Statement.InvalidSemantics",
      message: "Unbound pattern!",
    });
  });
});

describe("failures in mode 2.3", () => {
  test("while rows are sorted or written come before any result, others after the rows that were made", async () => {
    const graph = await TestGraph.open();
    const parameters = new Map();
    const run = async (text: string): Promise<unknown> =>
      await graph.engine.execute(graph.store.begin(), text, parameters);
    await expect(run("CYPHER 2.3 UNWIND [1, 'a'] AS x RETURN x ORDER BY x")).rejects.toMatchObject({
      phase: "runtime",
    });
    await expect(run("CYPHER 2.3 RETURN 1 / 0")).rejects.toMatchObject({ phase: "compile time", message: "/ by zero" });
    const result = await graph.engine.execute(
      graph.store.begin(),
      "CYPHER 2.3 UNWIND [1, 0] AS x RETURN 10 / x",
      parameters,
    );
    const rows: unknown[] = [];
    await expect(
      (async () => {
        for await (const batch of result.rows) {
          rows.push(...batch);
        }
      })(),
    ).rejects.toMatchObject({ code: "ClientError.Statement.ArithmeticError" });
    expect(rows).toEqual([[10]]);
  });
});

describe("START by a legacy index", () => {
  test("finds by key and value, by query, and what the transaction itself has put in", async () => {
    const graph = await TestGraph.open();
    const transaction = graph.store.begin();
    const [[ann]] = (await rowsOf(graph, transaction, "CREATE (n {name: 'Ann'})-[r:R]->() RETURN id(n), id(r)")) as [
      [number, number],
    ];
    transaction.legacyIndexes.create("node", "people", { type: "exact", provider: "lucene" });
    transaction.legacyIndexes.add("node", "people", ann, "name", "Ann");
    for (const start of ["people(name='Ann')", "people(name={x})", "people('name:A*')", "people({q})"]) {
      const parameters = new Map([
        ["x", "Ann"],
        ["q", "name:Ann"],
      ]);
      const text = `START n=node:${start} RETURN n.name`;
      expect(await rowsOf(graph, transaction, text, parameters)).toEqual([["Ann"]]);
    }
    expect(await rowsOf(graph, transaction, "START n=node:people(name='Bob') RETURN n")).toEqual([]);
    transaction.rollback();
    await expect(graph.run("START n=node:people(name='Ann') RETURN n")).rejects.toMatchObject({
      code: "ClientError.Schema.NoSuchIndex",
      message: "Index `people` does not exist",
      phase: "compile time",
    });
  });
});

async function rowsOf(
  graph: TestGraph,
  transaction: ReturnType<TestGraph["store"]["begin"]>,
  text: string,
  parameters: ReadonlyMap<string, string> = new Map(),
): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of (await graph.engine.execute(transaction, text, parameters)).rows) {
    rows.push(...batch);
  }
  return rows;
}
