/**
 * What the store costs at its hot paths, each beside the barest loop that does the same: `npx vitest bench --run
 * --project unit bench/micro/graph-store.bench.ts`. Ratios within a run are what counts.
 */
import { systemClock } from "@trefoil/base";
import { type ExpandBuffer, type GraphStore, openGraphStore, type ReadView } from "@trefoil/graph-store";
import { bench, describe } from "vitest";

const NODES = 100_000;
const RELATIONSHIPS = 1_000_000;

const store = await filledStore();
const empty = await openGraphStore({ clock: systemClock });
const transaction = store.begin();
const clean = transaction.openView();
const dirtyOwner = store.begin();
dirtyOwner.createNode([]);
const dirty = dirtyOwner.openView();
const age = store.tokens.propertyKeys.find("age");
const knows = store.tokens.relationshipTypes.find("KNOWS");
const person = store.tokens.labels.find("Person");
const oneHop: ExpandBuffer = { relationships: new Int32Array(64), neighbours: new Int32Array(64) };

/** A check on every variant: they must come to the same. */
const expected = oneHopInArrays(clean);

describe("one hop with a property filter, all nodes", () => {
  bench("base arrays, as generated code reads them", () => same(oneHopInArrays(clean)));
  bench("view methods, clean view", () => same(oneHopInView(clean)));
  bench("view methods, view with own writes", () => same(oneHopInView(dirty)));
});

describe("scan of a label", () => {
  bench("bitmap cursor", () => scan(clean));
  bench("with own writes", () => scan(dirty));
});

describe("transactions in memory", () => {
  bench("create a node with a property and commit", async () => {
    const writer = empty.begin();
    const node = writer.createNode([writer.labelId("Person")]);
    writer.setNodeProperty(node, writer.propertyKeyId("age"), 30);
    await writer.commit();
  });
});

function oneHopInArrays(view: ReadView): number {
  const list = view.base.outgoing.list(knows);
  const ages = view.base.nodeProperties.column(age);
  if (list === undefined || ages === undefined || !(ages.values instanceof Int32Array) || !list.dense) {
    throw new Error("the graph is not as this benchmark made it");
  }
  const { starts, lengths, neighbours } = list;
  const values = ages.values;
  let count = 0;
  for (let node = 0; node < NODES; node++) {
    const start = starts[node] as number;
    const end = start + (lengths[node] as number);
    for (let place = start; place < end; place++) {
      count += (values[neighbours[place] as number] as number) > 50 ? 1 : 0;
    }
  }
  return count;
}

function oneHopInView(view: ReadView): number {
  const types = [knows];
  let count = 0;
  for (let node = 0; node < NODES; node++) {
    const length = view.expand(node, "out", types, oneHop);
    for (let place = 0; place < length; place++) {
      count += (view.nodeProperty(oneHop.neighbours[place] as number, age) as number) > 50 ? 1 : 0;
    }
  }
  return count;
}

function scan(view: ReadView): void {
  let count = 0;
  for (let cursor = view.nodesWithLabel(person), node = cursor.next(); node >= 0; node = cursor.next()) {
    count += 1;
  }
  if (count < NODES / 2) {
    throw new Error(`${count} nodes instead of half of them`);
  }
}

function same(count: number): void {
  if (count !== expected) {
    throw new Error(`${count} instead of ${expected}`);
  }
}

async function filledStore(): Promise<GraphStore> {
  const filled = await openGraphStore({ clock: systemClock });
  const writer = filled.begin();
  const [label, type, key] = [
    writer.labelId("Person"),
    writer.relationshipTypeId("KNOWS"),
    writer.propertyKeyId("age"),
  ];
  for (let node = 0; node < NODES; node++) {
    writer.createNode(node % 2 === 0 ? [label] : []);
    writer.setNodeProperty(node, key, (node * 7919) % 100);
  }
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % NODES;
  };
  for (let count = 0; count < RELATIONSHIPS; count++) {
    writer.createRelationship(random(), type, random());
  }
  await writer.commit();
  return filled;
}
