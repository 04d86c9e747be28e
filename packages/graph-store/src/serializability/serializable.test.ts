import { systemClock } from "@trefoil/base";
import { describe, expect, test } from "vitest";
import { openStore } from "../graph-store.ts";
import { type IdCursor, type ReadView } from "../read-view.ts";
import { type Store } from "../store.ts";
import { MemoryFiles } from "../testing/memory-files.ts";
import { type Transaction } from "../transactions/transaction.ts";

const [PERSON, AGE, KNOWS] = [0, 0, 0];

/** Ten persons (nodes 0 to 9) aged 0 to 9, each of whom knows the next one. */
async function persons(indexed: boolean, files?: MemoryFiles): Promise<Store> {
  const store = await openStore({ clock: systemClock }, files);
  const first = store.begin();
  const [person, age, knows] = [first.labelId("Person"), first.propertyKeyId("age"), first.relationshipTypeId("KNOWS")];
  expect([person, age, knows]).toEqual([PERSON, AGE, KNOWS]);
  for (let years = 0; years < 10; years++) {
    first.setNodeProperty(first.createNode([person]), age, years);
  }
  for (let years = 0; years < 9; years++) {
    first.createRelationship(years, knows, years + 1);
  }
  await first.commit();
  if (indexed) {
    const schema = store.begin();
    await schema.createIndex({
      kind: "range",
      entity: "node",
      tokens: ["Person"],
      properties: ["age"],
      name: undefined,
    });
    await schema.commit();
  }
  return store;
}

const all = (cursor: IdCursor): number[] => {
  const ids: number[] = [];
  for (let id = cursor.next(); id >= 0; id = cursor.next()) {
    ids.push(id);
  }
  return ids;
};

type Read = (view: ReadView) => unknown;
type Write = (transaction: Transaction) => void;

const buffer = { relationships: new Int32Array(4), neighbours: new Int32Array(4) };
const someoneNew =
  (age: number): Write =>
  (transaction) => {
    transaction.setNodeProperty(transaction.createNode([PERSON]), AGE, age);
  };
const older: Write = (transaction) => {
  transaction.lockNode(5);
  transaction.setNodeProperty(5, AGE, 50);
};
const acquainted: Write = (transaction) => {
  transaction.lockNode(1);
  transaction.lockNode(8);
  transaction.createRelationship(1, KNOWS, 8);
};
const parted: Write = (transaction) => {
  transaction.lockRelationship(3);
  transaction.deleteRelationship(3);
};
const between = (low: number, high: number) => ({ kind: "between", low, high }) as const;

/** What is read, a write by another that matters to it, and one that does not. */
const cases: readonly (readonly [name: string, read: Read, matters: Write, not: Write])[] = [
  ["a property", (view) => view.nodeProperty(5, AGE), older, someoneNew(3)],
  ["labels", (view) => view.labelsOf(5), older, acquainted],
  ["the nodes of a label", (view) => all(view.nodesWithLabel(PERSON)), someoneNew(3), older],
  ["all nodes", (view) => all(view.allNodes()), someoneNew(3), acquainted],
  ["a count", (view) => view.nodeCount(PERSON), someoneNew(3), older],
  ["a value", (view) => all(view.entitiesWithValues("node", PERSON, [AGE], [12])), someoneNew(12), someoneNew(13)],
  ["a value that goes", (view) => all(view.entitiesWithValues("node", PERSON, [AGE], [5])), older, someoneNew(6)],
  ["a range", (view) => all(view.entitiesInRange("node", PERSON, AGE, between(40, 60), false)), older, someoneNew(61)],
  ["who has a property", (view) => all(view.entitiesWithProperties("node", PERSON, [AGE])), someoneNew(3), older],
  ["relationships of a node", (view) => view.expand(8, "in", [KNOWS], buffer), acquainted, older],
  ["relationships on the other side", (view) => view.expand(1, "out", [], buffer), acquainted, parted],
  ["a degree", (view) => view.degree(3, "both", [KNOWS]), parted, acquainted],
  ["how many relationships", (view) => view.relationshipCount(KNOWS), parted, older],
  ["all relationships", (view) => all(view.allRelationships()), acquainted, older],
  ["whether one is there", (view) => view.relationshipExists(3), parted, acquainted],
];

describe.each([true, false])("a serializable transaction (with an index: %s)", (indexed) => {
  /** Reads, lets another one write, writes something of its own and commits. */
  async function outcome(read: Read, write: Write, isolation: "serializable" | "snapshot"): Promise<string> {
    const store = await persons(indexed);
    const transaction = store.begin({ isolation });
    read(transaction.openView());
    const other = store.begin();
    write(other);
    await other.commit();
    transaction.createNode([]);
    return transaction.commit().then(
      () => "committed",
      (error: unknown) => (error as { code: string }).code,
    );
  }

  test.each(cases)("that read %s notices when it changes, and only then", async (_, read, matters, not) => {
    expect(await outcome(read, matters, "serializable")).toBe("TransientError.Transaction.Outdated");
    expect(await outcome(read, not, "serializable")).toBe("committed");
    expect(await outcome(read, matters, "snapshot")).toBe("committed");
  });
});

test("who only reads always commits, and sees one state", async () => {
  const store = await persons(true);
  const reader = store.begin({ isolation: "serializable" });
  expect(reader.openView().nodeProperty(5, AGE)).toBe(5);
  const writer = store.begin();
  older(writer);
  await writer.commit();
  expect(reader.openView().nodeProperty(5, AGE)).toBe(5);
  await reader.commit();
});

test("two that read what the other writes cannot both commit, even while both are on their way to the disk", async () => {
  const store = await persons(true, new MemoryFiles());
  const skew = (reads: number, writes: number): Promise<unknown> => {
    const transaction = store.begin({ isolation: "serializable" });
    transaction.openView().nodeProperty(reads, AGE);
    transaction.lockNode(writes);
    transaction.setNodeProperty(writes, AGE, 99);
    return Promise.resolve().then(() => transaction.commit());
  };
  const outcomes = await Promise.allSettled([skew(1, 2), skew(2, 1)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("a name that nobody had used when it was asked for counts as read", async () => {
  const store = await persons(false);
  const reader = store.begin({ isolation: "serializable" });
  expect(store.tokens.labels.find("Robot")).toBe(-1);
  const writer = store.begin();
  writer.createNode([writer.labelId("Robot")]);
  await writer.commit();
  reader.createNode([]);
  await expect(reader.commit()).rejects.toThrow("has read");
});

test("nothing is kept for serializable transactions that have ended", async () => {
  const store = await persons(false);
  const open = store.begin({ isolation: "serializable" });
  for (let round = 0; round < 5; round++) {
    const writer = store.begin();
    older(writer);
    await writer.commit();
  }
  expect(store.history.since(0)).toHaveLength(5);
  open.rollback();
  expect(store.history.since(0)).toHaveLength(0);
  expect([...store.history.onTheirWay]).toEqual([]);
  expect(store.versions.isFolded).toBe(true);
});

test("reading more than is worth noting down counts as reading everything", async () => {
  const store = await openStore({ clock: systemClock }, undefined);
  const filling = store.begin();
  const key = filling.propertyKeyId("p");
  const label = filling.labelId("L");
  for (let count = 0; count < 100_010; count++) {
    filling.createNode([label]);
  }
  await filling.commit();
  const reader = store.begin({ isolation: "serializable" });
  const view = reader.openView();
  for (let node = 0; node < 100_005; node++) {
    view.nodeProperty(node, key);
  }
  const writer = store.begin();
  writer.lockNode(100_008);
  writer.setNodeProperty(100_008, key, 1);
  await writer.commit();
  reader.createNode([label]);
  await expect(reader.commit()).rejects.toThrow("has read");
});
