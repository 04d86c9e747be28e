import { systemClock } from "@trefoil/base";
import { expect, test } from "vitest";
import { openStore } from "../graph-store.ts";
import { type ReadView } from "../read-view.ts";
import { type Store } from "../store.ts";
import { MemoryFiles } from "../testing/memory-files.ts";
import { type Transaction } from "./transaction.ts";

const ACCOUNTS = 6;
const START_BALANCE = 100;
const BALANCE = 0;

async function bank(files: MemoryFiles): Promise<Store> {
  const store = await openStore({ clock: systemClock }, files);
  const transaction = store.begin();
  const key = transaction.propertyKeyId("balance");
  for (let account = 0; account < ACCOUNTS; account++) {
    transaction.setNodeProperty(transaction.createNode([]), key, START_BALANCE);
  }
  await transaction.commit();
  return store;
}

async function lock(transaction: Transaction, node: number): Promise<void> {
  while (!transaction.lockNode(node)) {
    await transaction.waitForLock();
  }
}

const balanceOf = (view: ReadView, account: number): number => view.nodeProperty(account, BALANCE) as number;

function total(view: ReadView): number {
  return Array.from({ length: ACCOUNTS }, (_, account) => balanceOf(view, account)).reduce((a, b) => a + b);
}

/** Random but repeatable. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

const codeOf = (error: unknown): string => (error as { code: string }).code;

test.each([1, 2, 3])("transfers that cross each other keep the sum, seen from anywhere (seed %i)", async (seed) => {
  const files = new MemoryFiles();
  const store = await bank(files);
  const random = randomFrom(seed);
  const outcomes = new Map<string, number>();
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

  const transfer = async (isolation: "read-committed" | "snapshot"): Promise<void> => {
    const transaction = store.begin({ isolation });
    const view = transaction.openView();
    const [from, to] = [random(ACCOUNTS), random(ACCOUNTS)];
    const amount = random(20);
    try {
      await lock(transaction, from);
      transaction.setNodeProperty(from, BALANCE, balanceOf(view, from) - amount);
      await new Promise((resolve) => setImmediate(resolve));
      await lock(transaction, to);
      transaction.setNodeProperty(to, BALANCE, balanceOf(view, to) + amount);
      await transaction.commit();
      count("committed");
    } catch (error) {
      transaction.rollback();
      count(codeOf(error));
    }
  };
  const totals: number[] = [];
  const audit = async (isolation: "read-committed" | "snapshot"): Promise<void> => {
    const transaction = store.begin({ isolation });
    const view = transaction.openView();
    for (let times = random(5); times >= 0; times--) {
      totals.push(total(view));
      await new Promise((resolve) => setImmediate(resolve));
    }
    transaction.rollback();
  };

  await Promise.all(
    Array.from({ length: 12 }, async (_, worker) => {
      for (let round = 0; round < 40; round++) {
        await (worker % 3 === 0 ? audit : transfer)(round % 4 === 0 ? "snapshot" : "read-committed");
      }
    }),
  );

  expect(new Set(totals)).toEqual(new Set([ACCOUNTS * START_BALANCE]));
  expect([...outcomes.keys()].toSorted()).toEqual([
    "TransientError.Transaction.DeadlockDetected",
    "TransientError.Transaction.Outdated",
    "committed",
  ]);
  // Everything is folded once nobody reads, and the log says the same.
  expect(store.versions.isFolded).toBe(true);
  const reopened = await openStore({ clock: systemClock }, files.afterPowerCut());
  expect(total(reopened.begin().openView())).toBe(ACCOUNTS * START_BALANCE);
});

test("a hub with more relationships than fit on the stack, made and removed beside an open view", async () => {
  const store = await openStore({ clock: systemClock }, undefined);
  const reader = store.begin();
  const before = reader.openView();
  const hub = 0;
  const writer = store.begin();
  const type = writer.relationshipTypeId("R");
  writer.createNode([]);
  await writer.commit();
  for (let round = 0; round < 2; round++) {
    const more = store.begin();
    more.lockNode(hub);
    for (let count = 0; count < 150_000; count++) {
      more.createRelationship(hub, type, hub);
    }
    await more.commit();
  }
  expect(before.degree(hub, "both", [])).toBe(0);
  reader.rollback();
  const remover = store.begin();
  const view = remover.openView();
  expect(view.degree(hub, "both", [])).toBe(300_000);
  const buffer = { relationships: new Int32Array(0), neighbours: new Int32Array(0) };
  const length = view.expand(hub, "both", [], buffer);
  remover.lockNode(hub);
  for (const relationship of buffer.relationships.subarray(0, length)) {
    remover.lockRelationship(relationship);
    remover.deleteRelationship(relationship);
  }
  remover.deleteNode(hub);
  await remover.commit();
  expect(store.statistics.relationshipCount + store.statistics.nodeCount).toBe(0);
}, 30_000);
