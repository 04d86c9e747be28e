import { type Adjacency } from "../adjacency/adjacency.ts";
import { type PropertyTable } from "../columns/property-table.ts";
import { hasBit } from "../memory/bitmap.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { LabelTypeCounts } from "../tables/label-type-counts.ts";
import { CHECK_CHUNK, Problems, turn } from "./problems.ts";

/**
 * Checks that the base arrays say the same in all the places that say it: label sets, bitmaps and counts; relationships
 * and both adjacencies; key sets, columns and counts; strings and their holders. The base must be pinned.
 */
export async function checkBase(base: GraphBase): Promise<readonly string[]> {
  const problems = new Problems();
  await checkNodes(base, problems);
  await checkRelationships(base, problems);
  for (const direction of ["outgoing", "incoming"] as const) {
    await checkAdjacency(base, direction, problems);
  }
  const holders = new Map<number, number>();
  await checkProperties(
    base.nodeProperties,
    base.nodes.idLimit,
    (id) => base.nodes.exists(id),
    "node",
    holders,
    problems,
  );
  const relationships = base.relationships;
  const isThere = (id: number): boolean => relationships.exists(id);
  await checkProperties(base.relationshipProperties, relationships.idLimit, isThere, "relationship", holders, problems);
  checkStrings(base, holders, problems);
  return problems.all();
}

async function checkNodes({ nodes }: GraphBase, problems: Problems): Promise<void> {
  const counts = new Map<number, number>();
  let count = 0;
  for (let node = 0; node < nodes.idLimit; node++) {
    count += nodes.exists(node) ? 1 : 0;
    for (const label of nodes.labelsOf(node)) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      const bitmap = nodes.labelBitmap(label);
      if (bitmap === undefined || !hasBit(bitmap, node)) {
        problems.add(`node ${node} has label ${label}, but its bitmap does not say so`);
      }
    }
    if (node % CHECK_CHUNK === 0) {
      await turn();
    }
  }
  problems.expect(nodes.count, count, "the count of nodes");
  for (const [label, expected] of counts) {
    problems.expect(nodes.labelCount(label), expected, `the count of label ${label}`);
    problems.expect(bitsIn(nodes.labelBitmap(label)), expected, `the number of bits of label ${label}`);
  }
}

async function checkRelationships(base: GraphBase, problems: Problems): Promise<void> {
  const { relationships, nodes, labelTypeCounts } = base;
  const { starts, ends, types } = relationships;
  const counts = new Map<number, number>();
  const loops = new Map<number, number>();
  const expected = new LabelTypeCounts();
  let count = 0;
  for (let id = 0; id < relationships.idLimit; id++) {
    if (!relationships.exists(id)) {
      continue;
    }
    count += 1;
    const [start, type, end] = [starts[id] as number, types[id] as number, ends[id] as number];
    counts.set(type, (counts.get(type) ?? 0) + 1);
    loops.set(type, (loops.get(type) ?? 0) + (start === end ? 1 : 0));
    for (const node of [start, end]) {
      if (!nodes.exists(node)) {
        problems.add(`relationship ${id} hangs on node ${node}, which is not there`);
      }
    }
    expected.addRelationship(nodes.labelsOf(start), type, nodes.labelsOf(end), 1);
    if (id % CHECK_CHUNK === 0) {
      await turn();
    }
  }
  problems.expect(relationships.count, count, "the count of relationships");
  for (const [type, each] of counts) {
    problems.expect(relationships.typeCount(type), each, `the count of type ${type}`);
    problems.expect(relationships.loopCount(type), loops.get(type) ?? 0, `the count of loops of type ${type}`);
  }
  for (const difference of labelTypeCounts.differences(expected)) {
    problems.add(difference);
  }
}

/** Every relationship once in the run of its node, under its type, with its other end; nothing else there. */
async function checkAdjacency(base: GraphBase, direction: "outgoing" | "incoming", problems: Problems): Promise<void> {
  const { relationships, nodes } = base;
  const adjacency: Adjacency = base[direction];
  const [own, others] =
    direction === "outgoing" ? [relationships.starts, relationships.ends] : [relationships.ends, relationships.starts];
  const seen = new Uint8Array(relationships.idLimit);
  let count = 0;
  for (let node = 0; node < nodes.idLimit; node++) {
    for (const type of adjacency.typesOf(node)) {
      const list = adjacency.list(type);
      const slot = list?.slotOf(node) ?? -1;
      const start = list?.starts[slot] ?? 0;
      const end = start + (list?.lengths[slot] ?? 0);
      if (start === end) {
        problems.add(`node ${node} has type ${type} ${direction}, but no such relationship`);
      }
      for (let place = start; place < end; place++) {
        const id = list?.relationships[place] ?? -1;
        const fits =
          relationships.exists(id) &&
          relationships.types[id] === type &&
          own[id] === node &&
          others[id] === list?.neighbours[place];
        if (!fits || seen[id] === 1) {
          problems.add(`the ${direction} run of node ${node} names relationship ${id}, which is not so`);
        }
        seen[id] = 1;
        count += 1;
      }
    }
    if (node % CHECK_CHUNK === 0) {
      await turn();
    }
  }
  problems.expect(count, relationships.count, `the number of ${direction} entries`);
}

async function checkProperties(
  table: PropertyTable,
  idLimit: number,
  isThere: (id: number) => boolean,
  what: string,
  holders: Map<number, number>,
  problems: Problems,
): Promise<void> {
  const counts = new Map<number, number>();
  for (let id = 0; id < idLimit; id++) {
    const keys = table.keysOf(id);
    if (keys.length > 0 && !isThere(id)) {
      problems.add(`${what} ${id} is not there, but has properties`);
    }
    for (const key of keys) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const column = table.column(key);
      if (column?.get(id) === undefined) {
        problems.add(`${what} ${id} has key ${key}, but no value`);
      }
      const code = column?.codeOf(id) ?? 0;
      if (code > 0) {
        holders.set(code, (holders.get(code) ?? 0) + 1);
      }
    }
    if (id % CHECK_CHUNK === 0) {
      await turn();
    }
  }
  for (const [key, expected] of counts) {
    problems.expect(table.column(key)?.count ?? 0, expected, `the count of ${what} property ${key}`);
  }
}

function checkStrings({ strings }: GraphBase, holders: ReadonlyMap<number, number>, problems: Problems): void {
  for (let code = 1; code < strings.codeLimit; code++) {
    const held = strings.holdersOf(code);
    if (held !== (holders.get(code) ?? 0)) {
      problems.add(`string ${code} counts ${held} holders, but ${holders.get(code) ?? 0} were found`);
    }
    if (held > 0 && strings.find(strings.textOf(code)) !== code) {
      problems.add(`string ${code} is not found by its text`);
    }
  }
}

function bitsIn(words: Uint32Array | undefined): number {
  let bits = 0;
  for (const word of words ?? []) {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      bits += 1;
    }
  }
  return bits;
}
