import { ManualClock, systemClock } from "@trefoil/base";
import { type GraphStore, openGraphStore } from "@trefoil/graph-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEngine, type Engine } from "../session.ts";

const MEGABYTE = 2 ** 20;
const PAIRS = "UNWIND range(1, 2500) AS y UNWIND range(1, 1000) AS x";

let store: GraphStore;
let engine: Engine;
beforeAll(async () => {
  store = await openGraphStore({ clock: systemClock, transactionMemoryBytes: MEGABYTE });
  engine = createEngine({ store, clock: new ManualClock(0), limits: { statementMemoryBytes: 30 * MEGABYTE } });
});
afterAll(() => store.close());

async function run(text: string): Promise<number> {
  const transaction = store.begin();
  try {
    const result = await engine.execute(transaction, text, new Map());
    let rows = 0;
    for await (const batch of result.rows) {
      rows += batch.length;
    }
    return rows;
  } finally {
    transaction.rollback();
  }
}

const refusal = { code: "TransientError.General.OutOfMemoryError" };

describe("a statement that keeps more than it may", () => {
  test.each([
    `${PAIRS} RETURN collect([x, y, 'text ' + x])`,
    `${PAIRS} WITH DISTINCT x, y, [x, y] AS list RETURN count(*)`,
    `${PAIRS} WITH x, y, toString(x * y) AS text ORDER BY text RETURN x, y, text`,
    `${PAIRS} WITH 'text ' + x + y AS text, count(*) AS c RETURN count(text)`,
    "RETURN size(reduce(list = [], x IN range(1, 1000) | list + range(1, 1000000)))",
  ])("fails with a transient error: %s", { timeout: 30_000 }, async (text) => {
    await expect(run(text)).rejects.toMatchObject(refusal);
  });

  test("values that pass do not count", { timeout: 30_000 }, async () => {
    expect(await run(`${PAIRS} WITH 'text ' + x + y AS text RETURN count(text)`)).toBe(1);
  });
});

describe("a transaction that writes more than it may", () => {
  test("is refused where it does, and the statement leaves nothing", async () => {
    await expect(run("UNWIND range(1, 100000) AS x CREATE ({p: x})")).rejects.toMatchObject(refusal);
    await expect(run("UNWIND range(1, 100000) AS x CREATE (:A)-[:R]->(:B)")).rejects.toMatchObject(refusal);
    await expect(run(`CREATE ({p: '${"x".repeat(MEGABYTE / 2)}'})`)).rejects.toMatchObject(refusal);
    // What a transaction took is free again when it ends.
    for (let round = 0; round < 5; round++) {
      expect(await run("UNWIND range(1, 1000) AS x CREATE ({p: x}) RETURN x")).toBe(1000);
    }
  });

  test("hundreds that are open cost next to nothing", () => {
    const before = process.memoryUsage().heapUsed;
    const open = Array.from({ length: 200 }, () => store.begin());
    open.forEach((transaction) => transaction.releaseView(transaction.openView()));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4 * MEGABYTE);
    open.forEach((transaction) => transaction.rollback());
  });
});
