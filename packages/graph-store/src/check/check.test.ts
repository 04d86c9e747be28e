import { systemClock } from "@trefoil/base";
import { expect, test } from "vitest";
import { openStore } from "../graph-store.ts";
import { HEADER_BYTES } from "../log/file-header.ts";
import { type Store } from "../store.ts";
import { MemoryFiles } from "../testing/memory-files.ts";

async function filledStore(files: MemoryFiles): Promise<Store> {
  const store = await openStore({ clock: systemClock }, files);
  const schema = store.begin();
  await schema.createConstraint({ kind: "key", entity: "node", token: "N", properties: ["id"] });
  await schema.createIndex({ entity: "relationship", tokens: ["R"], properties: ["w"] });
  await schema.commit();
  const transaction = store.begin();
  const [label, id, type, weight] = [
    transaction.labelId("N"),
    transaction.propertyKeyId("id"),
    transaction.relationshipTypeId("R"),
    transaction.propertyKeyId("w"),
  ];
  const nodes = Array.from({ length: 50 }, (_, index) => {
    const node = transaction.createNode([label]);
    transaction.setNodeProperty(node, id, index % 2 === 0 ? index : `n${index}`);
    return node;
  });
  nodes.forEach((node, index) => {
    const relationship = transaction.createRelationship(node, type, nodes[(index * 7) % 50]!);
    transaction.setRelationshipProperty(relationship, weight, index / 2);
  });
  await transaction.commit();
  const deleting = store.begin();
  const view = deleting.openView();
  const buffer = { relationships: new Int32Array(8), neighbours: new Int32Array(8) };
  const gone = nodes[3]!;
  deleting.lockNode(gone);
  for (const relationship of buffer.relationships.slice(0, view.expand(gone, "both", [], buffer))) {
    deleting.lockRelationship(relationship);
    deleting.deleteRelationship(relationship);
  }
  deleting.deleteNode(gone);
  await deleting.commit();
  return store;
}

test("a store that is whole has nothing to tell, also with layers above the base", async () => {
  const store = await filledStore(new MemoryFiles());
  expect(await store.check()).toEqual([]);
  await store.checkpoint();
  const reader = store.begin();
  reader.openView();
  const writer = store.begin();
  const node = writer.createNode([writer.labelId("N")]);
  writer.setNodeProperty(node, writer.propertyKeyId("id"), "later");
  await writer.commit();
  expect(await store.check()).toEqual([]);
  reader.rollback();
});

test("damage in memory is found, whatever structure it is in", async () => {
  const damages: [RegExp, (store: Store) => void][] = [
    [/bitmap does not say so|number of bits of label/u, ({ base }) => base.nodes.labelBitmap(0)?.fill(0)],
    [/hangs on node 99, which is not there/u, ({ base }) => (base.relationships.starts[0] = 99)],
    [/run of node .* names relationship/u, ({ base }) => base.outgoing.list(0)?.neighbours.fill(1)],
    [/has key 0, but no value/u, ({ base }) => base.nodeProperties.column(0)?.remove(0)],
    [/counts \d+ holders/u, ({ base }) => base.strings.acquire("n1")],
    [/count of type 0 from label 0/u, ({ base }) => base.labelTypeCounts.add(0, 0, "out", 1)],
    [/number of entries of index/u, ({ versions }) => versions.catalog.indexes("node")[0]?.add(1, [77])],
    [/does not find relationship/u, ({ versions }) => versions.catalog.indexes("relationship")[0]?.remove(0, [0])],
  ];
  for (const [message, damage] of damages) {
    const store = await filledStore(new MemoryFiles());
    damage(store);
    expect((await store.check()).join("\n")).toMatch(message);
  }
});

test("damage in files is found", async () => {
  const files = new MemoryFiles();
  const store = await filledStore(files);
  await store.checkpoint();
  const transaction = store.begin();
  transaction.createNode([]);
  await transaction.commit();
  for (const name of await files.names()) {
    const bytes = files.content(name);
    // Behind the commits of a log there is room for more.
    const place = name.startsWith("log") ? HEADER_BYTES + 10 : bytes.length - 30;
    bytes[place] = (bytes[place] ?? 0) ^ 0xff;
    expect((await store.check()).join("\n")).toMatch(name);
    bytes[place] = (bytes[place] ?? 0) ^ 0xff;
  }
  expect(await store.check()).toEqual([]);
});
