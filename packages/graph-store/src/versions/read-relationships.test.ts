import { systemClock } from "@trefoil/base";
import { beforeEach, expect, test } from "vitest";
import { openStore } from "../graph-store.ts";
import { type Store } from "../store.ts";
import { dumpView } from "../testing/graph-dump.ts";
import { MemoryFiles } from "../testing/memory-files.ts";

const NODES = 50;

/** A ring of nodes, opened with its relationships unread. */
let store: Store;
beforeEach(async () => {
  const files = new MemoryFiles();
  const first = await openStore({ clock: systemClock }, files);
  const transaction = first.begin();
  const label = transaction.labelId("Person");
  const nodes = Array.from({ length: NODES }, () => transaction.createNode([label]));
  nodes.forEach((node, at) => connect(transaction, node, nodes[(at + 1) % NODES] as number));
  await transaction.commit();
  await first.checkpoint();
  await first.close();
  store = await openStore({ clock: systemClock }, files);
});

function connect(transaction: ReturnType<Store["begin"]>, start: number, end: number): void {
  transaction.lockNode(start);
  transaction.lockNode(end);
  transaction.createRelationship(start, transaction.relationshipTypeId("KNOWS"), end);
}

function degrees(): number[] {
  const transaction = store.begin();
  const view = transaction.openView();
  const both = Array.from({ length: view.nodeIdLimit }, (_unused, node) => view.degree(node, "both", []));
  transaction.rollback();
  return both;
}

test("what is committed while relationships are read is seen at once, and goes into the base afterwards", async () => {
  const reading = store.readRelationships();
  expect(reading).toBeDefined();
  expect(store.readRelationships()).toBe(reading);
  const transaction = store.begin();
  connect(transaction, 0, 2);
  transaction.lockNode(5);
  transaction.addLabel(5, transaction.labelId("Other"));
  const committed = transaction.commit();
  expect(store.base.hasReadRelationships).toBe(false);
  await Promise.all([committed, reading]);
  expect(store.readRelationships()).toBeUndefined();
  expect(store.versions.isFolded).toBe(true);
  expect(degrees()).toEqual(Array.from({ length: NODES }, (_unused, node) => (node === 0 || node === 2 ? 3 : 2)));
  expect(await store.check()).toEqual([]);
});

test("commits that go with relationships have them read, and do not wait for it", async () => {
  const transaction = store.begin();
  connect(transaction, 0, 2);
  await transaction.commit();
  expect(store.base.hasReadRelationships).toBe(false);
  expect(store.versions.isFolded).toBe(false);
  await store.readRelationships();
  expect(store.versions.isFolded).toBe(true);
  expect(degrees()[0]).toBe(3);
  expect(await store.check()).toEqual([]);
});

test("commits of nodes alone leave them where they are", async () => {
  const transaction = store.begin();
  const node = transaction.createNode([transaction.labelId("Person")]);
  transaction.setNodeProperty(node, transaction.propertyKeyId("name"), "Ada");
  await transaction.commit();
  expect(store.base.hasReadRelationships).toBe(false);
  expect(store.versions.isFolded).toBe(true);
});

test("who cannot wait has the rest read at once", async () => {
  const reading = store.readRelationships();
  expect(degrees()).toEqual(Array.from({ length: NODES }, () => 2));
  expect(store.base.hasReadRelationships).toBe(true);
  await reading;
  expect(store.readRelationships()).toBeUndefined();
});

test("views that were open before see the same as after", async () => {
  const transaction = store.begin({ isolation: "snapshot" });
  const view = transaction.openView();
  const writer = store.begin();
  connect(writer, 7, 9);
  await Promise.all([writer.commit(), store.readRelationships()]);
  expect(Object.keys(dumpView(view).relationships)).toHaveLength(NODES);
  transaction.rollback();
  expect(degrees()[7]).toBe(3);
});
