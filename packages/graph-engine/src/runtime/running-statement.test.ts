import { assert } from "@trefoil/base";
import { type ReadView, type Transaction } from "@trefoil/graph-store";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { knownNamesOf } from "../notifications/known-names.ts";
import { TestGraph } from "../statements/test-graph.ts";
import { type Elsewhere } from "./driver.ts";
import { type PreparedStatement } from "./prepared-statement.ts";
import { type RunOptions, RunningStatement } from "./running-statement.ts";
import { type StatementContext } from "./statement-context.ts";

let graph: TestGraph;
let ended: string[];
beforeAll(async () => {
  graph = await TestGraph.open();
});
beforeEach(() => {
  ended = [];
});
afterAll(() => graph.store.close());

/** Rows without an end, of a statement that tells when it is let go. */
function start(transaction: Transaction, elsewhere?: Elsewhere): RunningStatement {
  const view: ReadView = transaction.openView();
  const prepared: Partial<PreparedStatement> = {
    columns: ["a"],
    queryType: "r",
    execution: "normal",
    *run() {
      try {
        for (;;) {
          yield [[1]];
        }
      } finally {
        ended.push("here");
      }
    },
  };
  const options: RunOptions = {
    names: () => knownNamesOf(graph.store),
    signal: undefined,
    deadlineMs: Number.POSITIVE_INFINITY,
    now: () => 0,
    memoryBytes: 0,
    elsewhere,
  };
  return new RunningStatement(prepared as PreparedStatement, { view, transaction } as StatementContext, options);
}

const anotherThread: Elsewhere = {
  isWorthwhile: () => true,
  run: () =>
    Promise.resolve(
      (async function* () {
        try {
          for (;;) {
            yield await Promise.resolve([[2]]);
          }
        } finally {
          ended.push("elsewhere");
        }
      })(),
    ),
};

test.each([
  ["here", undefined, 1],
  ["elsewhere", anotherThread, 2],
] as const)("closing lets go of what runs %s, though nobody loops over the rows", async (place, elsewhere, value) => {
  const transaction = graph.store.begin();
  const statement = start(transaction, elsewhere);
  const rows = statement.rows[Symbol.asyncIterator]();
  expect(await rows.next()).toEqual({ done: false, value: [[value]] });
  statement.close();
  await expect.poll(() => ended).toEqual([place]);
  expect(await rows.next()).toEqual({ done: true, value: undefined });
  statement.close();
  transaction.rollback();
});

test("closing before the first row runs nothing", async () => {
  const transaction = graph.store.begin();
  const statement = start(transaction);
  statement.close();
  expect(await statement.rows[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  expect(ended).toEqual([]);
  transaction.rollback();
});

test("what waits for nothing comes without a promise", () => {
  const transaction = graph.store.begin();
  const result = graph.engine.execute(transaction, "UNWIND [1, 2] AS x RETURN x", new Map());
  assert(result instanceof RunningStatement, "nothing is waited for");
  expect(result.next()).toEqual([[1], [2]]);
  expect(result.next()).toBeUndefined();
  expect(result.summary.queryType).toBe("r");
  transaction.rollback();
});

test("closing while it waits gives nothing more", async () => {
  const transaction = graph.store.begin();
  let goOn = (): void => {};
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const statement = start(transaction, {
    isWorthwhile: () => true,
    run: async () => {
      await waiting;
      return await anotherThread.run();
    },
  });
  const batch = statement.next();
  expect(batch).toBeInstanceOf(Promise);
  statement.close();
  goOn();
  expect(await batch).toBeUndefined();
  expect(await statement.next()).toBeUndefined();
  transaction.rollback();
});
