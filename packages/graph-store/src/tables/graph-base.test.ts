import { expect, test } from "vitest";
import { hasBit } from "../memory/bitmap.ts";
import { MemorySections } from "../memory/memory-sections.ts";
import { type SectionReader } from "../memory/snapshot-sections.ts";
import { shareGraph, TakenOver } from "../sharing/shared-graph.ts";
import { Catalog } from "../indexes/catalog.ts";
import { LegacyIndexes } from "../indexes/legacy/legacy-indexes.ts";
import { Schema } from "../schema/schema.ts";
import { GraphBase } from "./graph-base.ts";
import { Tokens } from "./token-table.ts";

const NODES = 20_000;
const LAST_NODE = NODES + 100;
const [KNOWS, RARE] = [0, 2];

/** Loops, parallel relationships, a type that few nodes have (a hashed list), ids that are gone, runs with room in them. */
function makeBase(): GraphBase {
  const base = new GraphBase();
  for (let node = 0; node < NODES; node++) {
    base.nodes.create(node);
    if (node < NODES / 2 || node % 7 === 0) {
      base.addLabel(node, node < NODES / 2 ? 0 : 1);
    }
  }
  // Between are ids that nobody has.
  base.nodes.create(LAST_NODE);
  base.addLabel(LAST_NODE, 1);
  let id = 0;
  for (let node = 0; node < NODES; node += 3) {
    base.createRelationship(id++, node, KNOWS, (node * 7) % NODES);
    base.createRelationship(id++, node, KNOWS, node);
    base.createRelationship(id++, (node * 11) % NODES, KNOWS, node);
  }
  for (let node = NODES - 1; node > NODES - 5; node--) {
    base.createRelationship(id++, node, RARE, 5);
    base.createRelationship(id++, node, RARE, 5);
  }
  for (const gone of [0, 4, id - 1]) {
    const { starts, ends, types } = base.relationships;
    const type = types[gone] as number;
    base.outgoing.remove(starts[gone] as number, type, new Set([gone]));
    base.incoming.remove(ends[gone] as number, type, new Set([gone]));
    base.relationships.delete(gone);
  }
  return base;
}

/** Every run, in order of ids, and the table. */
function restored(source: SectionReader): unknown {
  const base = new GraphBase(source);
  const { relationships, outgoing, incoming } = base;
  const runs = [outgoing, incoming].map((direction) =>
    Array.from({ length: NODES }, (_node, node) =>
      direction.typesOf(node).map((type) => {
        const list = direction.list(type)!;
        const from = list.starts[list.slotOf(node)]!;
        const ids = list.relationships.subarray(from, from + list.degree(node));
        return [type, ...ids.toSorted(), ...list.neighbours.subarray(from, from + list.degree(node)).toSorted()];
      }),
    ),
  );
  const table = Array.from({ length: relationships.idLimit }, (_unused, id) =>
    relationships.exists(id) ? [relationships.types[id], relationships.starts[id], relationships.ends[id]] : "gone",
  );
  return { runs, table };
}

test("what a checkpoint leaves out comes back", () => {
  const base = makeBase();
  const written = MemorySections.of(base);
  expect(written.has(`outgoing.${KNOWS}.neighbours`)).toBe(false);
  expect(base.outgoing.list(RARE)?.dense).toBe(false);
  const lent = new TakenOver(shareGraph(1, base, new Tokens(), new Catalog(Schema.empty, new LegacyIndexes())));
  expect(lent.has(`outgoing.${KNOWS}.neighbours`)).toBe(true);
  expect(restored(written)).toEqual(restored(lent));
  const ofLabel = (label: number): number[] =>
    Array.from({ length: LAST_NODE + 1 }, (_node, node) => node).filter((node) =>
      base.nodes.labelsOf(node).includes(label),
    );
  for (const label of [0, 1]) {
    const { nodes } = new GraphBase(written);
    const bitmap = nodes.labelBitmap(label)!;
    expect(nodes.labelCount(label)).toBe(ofLabel(label).length);
    expect(ofLabel(label).every((node) => hasBit(bitmap, node))).toBe(true);
    const bits = Array.from({ length: bitmap.length * 32 }, (_bit, node) => hasBit(bitmap, node));
    expect(bits.filter(Boolean).length).toBe(ofLabel(label).length);
  }
});

/** The arrays that are read from now on. */
function readFrom(written: MemorySections): string[] {
  const read: string[] = [];
  const int32 = written.int32.bind(written);
  written.int32 = (name) => {
    read.push(name);
    return int32(name);
  };
  return read;
}

test("relationships are read when they are asked for, their counts are there before", () => {
  const base = makeBase();
  const written = MemorySections.of(base);
  const read = readFrom(written);
  const again = new GraphBase(written);
  expect(again.relationshipCounts.count).toBe(base.relationships.count);
  expect(again.relationshipCounts.typeCount(RARE)).toBe(base.relationships.typeCount(RARE));
  expect(again.nodes.count).toBe(NODES + 1);
  expect(read).not.toContain("relationships.ends");
  expect(again.outgoing.list(KNOWS)?.degree(3)).toBe(base.outgoing.list(KNOWS)?.degree(3));
  expect(read).toContain("relationships.ends");
});

test("columns are read when they are asked for, and what texts are found by when one is looked for", () => {
  const base = makeBase();
  const [AGE, NAME] = [2, 5];
  for (let node = 0; node < NODES; node++) {
    base.nodeProperties.set(node, AGE, node % 90);
    base.nodeProperties.set(node, NAME, `name ${node % 1000}`);
  }
  const gone = base.strings.find("name 7");
  for (let node = 7; node < NODES; node += 1000) {
    base.nodeProperties.set(node, NAME, "another");
  }
  const written = MemorySections.of(base);
  const read = readFrom(written);
  const again = new GraphBase(written);
  expect(again.nodeProperties.get(8, NAME)).toBe("name 8");
  expect(read).not.toContain(`nodeProperties.${AGE}.values`);
  expect(read).not.toContain("strings.hashes");
  expect(again.nodeProperties.column(AGE)?.count).toBe(NODES);
  expect(again.nodeProperties.get(NODES - 1, AGE)).toBe((NODES - 1) % 90);
  expect(again.nodeProperties.column(AGE + 1)).toBeUndefined();
  expect(again.strings.find("another")).toBe(base.strings.find("another"));
  expect(again.strings.holdersOf(again.strings.find("another"))).toBe(NODES / 1000);
  expect(again.strings.find("name 7")).toBe(0);
  expect(again.strings.acquire("new")).toBe(gone);
});
