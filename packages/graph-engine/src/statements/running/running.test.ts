import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

const error = (code: string, message?: string): object =>
  expect.objectContaining(message === undefined ? { code } : { code, message: expect.stringContaining(message) });

describe("a running statement", () => {
  test("comes in batches of at most 1,024 rows, made as they are asked for", async () => {
    const graph = await TestGraph.open();
    const result = await graph.engine.execute(graph.store.begin(), "UNWIND range(1, 3000) AS x RETURN x", new Map());
    const sizes: number[] = [];
    for await (const batch of result.rows) {
      sizes.push(batch.length);
    }
    expect(sizes).toEqual([1024, 1024, 952]);
  });

  test("that fails leaves nothing of what it wrote, and the transaction goes on", async () => {
    const graph = await TestGraph.open();
    const transaction = graph.store.begin();
    await graph.runIn(transaction, "CREATE (:Kept)");
    await expect(graph.runIn(transaction, "UNWIND [1, 0] AS x CREATE (:Lost {v: 1 / x})")).rejects.toEqual(
      error("ClientError.Statement.ArithmeticError"),
    );
    const { rows } = await graph.runIn(transaction, "MATCH (n) RETURN labels(n)");
    expect(rows).toEqual([[["Kept"]]]);
    transaction.rollback();
  });

  test("that is given up undoes what it wrote", async () => {
    const graph = await TestGraph.open();
    const transaction = graph.store.begin();
    const result = await graph.engine.execute(transaction, "UNWIND range(1, 5000) AS x CREATE (n) RETURN n", new Map());
    for await (const batch of result.rows) {
      expect(batch.length).toBe(1024);
      result.close();
      break;
    }
    await transaction.commit();
    expect(await graph.value("MATCH (n) RETURN count(n)")).toBe(0);
  });

  test("stops at once when it is cancelled, however long it would take", async () => {
    const graph = await TestGraph.open();
    const controller = new AbortController();
    const running = graph.run(
      "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*)",
      {},
      { signal: controller.signal },
    );
    setTimeout(() => {
      controller.abort();
    }, 20);
    await expect(running).rejects.toEqual(error("TransientError.Transaction.Terminated", "cancelled"));
  });

  test("stops when its time is over", async () => {
    const graph = await TestGraph.open();
    const running = graph.run(
      "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*)",
      {},
      { timeoutMs: 30 },
    );
    await expect(running).rejects.toEqual(error("TransientError.Transaction.Terminated", "longer"));
  });

  test("waits for a lock and then builds on the newest value", async () => {
    const graph = await TestGraph.open("CREATE (:Counter {n: 0})");
    await Promise.all(Array.from({ length: 20 }, () => graph.run("MATCH (c:Counter) SET c.n = c.n + 1")));
    expect(await graph.value("MATCH (c:Counter) RETURN c.n")).toBe(20);
  });

  test("asks again after waiting: one of two takes what both saw", async () => {
    const graph = await TestGraph.open("CREATE (:Job {state: 'open'})");
    const first = graph.store.begin();
    const second = graph.store.begin();
    const take = "MATCH (j:Job) WHERE j.state = 'open' SET j.state = 'taken' RETURN count(*)";
    expect((await graph.runIn(first, take)).rows).toEqual([[1]]);
    const waiting = graph.runIn(second, take);
    await first.commit();
    expect((await waiting).rows).toEqual([[0]]);
    await second.commit();
  });

  test("leaves alone what was deleted while it waited", async () => {
    const graph = await TestGraph.open("CREATE (:Job)");
    const first = graph.store.begin();
    const second = graph.store.begin();
    await graph.runIn(first, "MATCH (j:Job) DELETE j");
    const waiting = graph.runIn(second, "MATCH (j:Job) SET j.late = true RETURN count(*)");
    await first.commit();
    expect((await waiting).rows).toEqual([[0]]);
    await second.commit();
  });

  test("under EXPLAIN has a plan and no effect", async () => {
    const graph = await TestGraph.open();
    const { rows, summary } = await graph.run("EXPLAIN CREATE (n:New) RETURN n");
    expect(rows).toEqual([]);
    expect(summary.plan).toMatchObject({ operator: "ProduceResults", children: [{ operator: "UpdateGraph" }] });
    expect(await graph.value("MATCH (n) RETURN count(n)")).toBe(0);
  });

  test("under PROFILE counts the rows of each operator", async () => {
    const graph = await TestGraph.open();
    const { summary } = await graph.run("PROFILE UNWIND [1, 2, 3] AS x WITH x WHERE x > 1 RETURN x");
    expect(summary.profiled).toBe(true);
    expect(summary.plan).toMatchObject({
      rows: 2,
      children: [{ operator: "Filter", rows: 2, children: [{ rows: 3 }] }],
    });
  });

  test("is planned anew when the graph has grown far beyond what it was planned for", async () => {
    const graph = await TestGraph.open();
    const text = "MATCH (a:Many)-[:T]->(b:Few) RETURN count(*)";
    const start = (): unknown => {
      const { plan } = graph.engine.inspect(text);
      return JSON.stringify(plan).match(/"details":":(\w+)"/u)?.[1];
    };
    await graph.run("CREATE (:Few), (:Few)");
    expect(start()).toBe("Many");
    await graph.run("UNWIND range(1, 5000) AS x CREATE (:Many)");
    expect(start()).toBe("Few");
  });

  test("asks for its parameters before it runs", async () => {
    const graph = await TestGraph.open();
    await expect(graph.run("RETURN $here + $gone", { here: 1 })).rejects.toMatchObject({
      code: "ClientError.Statement.ParameterMissing",
      message: "Expected a parameter named gone",
      phase: "compile time",
    });
  });

  test.each([
    ['RETURN 1 AS `"; throw 1; //`', '"; throw 1; //'],
    ["RETURN 1 AS `view`", "view"],
    ["RETURN 1 AS `rows`", "rows"],
    ["RETURN 1 AS `é漢`", "é漢"],
    ["RETURN 1 AS `__proto__`", "__proto__"],
    ["RETURN 1 AS `  UNNAMED1`", "  UNNAMED1"],
  ])("takes any name for a column: %s", async (text, column) => {
    const graph = await TestGraph.open();
    expect(await graph.run(text)).toMatchObject({ columns: [column], rows: [[1]] });
  });

  test.each(["`\\n}; process.exit(1); {`", "`${process.exit(1)}`", '`"]`'])(
    "never runs a name as code: %s",
    async (name) => {
      const graph = await TestGraph.open();
      const text = `CREATE (n:${name} {${name}: 1})-[:${name}]->(n) WITH n AS ${name} RETURN ${name}.${name}, labels(${name})[0]`;
      expect((await graph.run(text)).rows).toEqual([[1, name.slice(1, -1)]]);
    },
  );

  test.each(["MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "RETURN shortestPath((a)-[*]-(b))"])(
    "searches for a shortest path only as long as it is wanted: %s",
    async (search) => {
      const graph = await TestGraph.open(
        "CREATE (a:A), (b:B) FOREACH (i IN range(1, 5000) | CREATE (a)-[:R]->(), (b)-[:R]->())",
      );
      const stop = new AbortController();
      const transaction = graph.store.begin();
      const running = graph.runIn(
        transaction,
        `MATCH (a:A), (b:B) ${search}`,
        {},
        {
          signal: stop.signal,
        },
      );
      setImmediate(() => stop.abort());
      await expect(running).rejects.toEqual(error("TransientError.Transaction.Terminated"));
      transaction.rollback();
    },
  );
});
