import { type Adjacency } from "../adjacency/adjacency.ts";
import { grown, sharedInt32 } from "../memory/shared-array.ts";
import { type GraphBase } from "../tables/graph-base.ts";

/** Relationships whose adjacency is made when all of them are there, so that every node's run has its final size. */
export class RelationshipBatch {
  #ids = sharedInt32(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(relationship: number): void {
    const place = this.#length++;
    this.#ids = grown(this.#ids, this.#length, 0);
    this.#ids[place] = relationship;
  }

  /** The relationships are in the table by now. */
  addTo(base: GraphBase): void {
    const { starts, ends } = base.relationships;
    for (const [type, ids] of this.#idsByType(base.relationships.types)) {
      append(base.outgoing, type, ids, starts, ends, base.nodes.idLimit);
      append(base.incoming, type, ids, ends, starts, base.nodes.idLimit);
      countLabels(base, type, ids);
    }
  }

  #idsByType(types: Int32Array): Map<number, Int32Array> {
    const ids = this.#ids.subarray(0, this.#length);
    const counts: number[] = [];
    for (const id of ids) {
      const type = types[id] as number;
      counts[type] = (counts[type] ?? 0) + 1;
    }
    const byType = new Map<number, Int32Array>();
    counts.forEach((count, type) => byType.set(type, count === ids.length ? ids : new Int32Array(count)));
    if (byType.size > 1) {
      const filled = counts.map(() => 0);
      for (const id of ids) {
        const type = types[id] as number;
        const at = filled[type] as number;
        (byType.get(type) as Int32Array)[at] = id;
        filled[type] = at + 1;
      }
    }
    return byType;
  }
}

/** @param nodes, neighbours  the two ends by relationship */
function append(
  adjacency: Adjacency,
  type: number,
  ids: Int32Array,
  nodes: Int32Array,
  neighbours: Int32Array,
  nodeIdLimit: number,
): void {
  const list = adjacency.listFor(type);
  // Counting every node's degree pays where many of them have the type.
  if (ids.length * 16 <= nodeIdLimit) {
    list.reservePool(ids.length);
    for (const id of ids) {
      const node = nodes[id] as number;
      list.append(node, id, neighbours[id] as number);
      adjacency.noteType(node, type);
    }
    return;
  }
  const degrees = new Int32Array(nodeIdLimit);
  for (const id of ids) {
    const node = nodes[id] as number;
    degrees[node] = (degrees[node] as number) + 1;
  }
  list.appendCounted(degrees, ids, nodes, neighbours);
  for (let node = 0; node < nodeIdLimit; node++) {
    if (degrees[node] !== 0) {
      adjacency.noteType(node, type);
    }
  }
}

/** Counts by the sets of labels that nodes have, of which there are few, instead of by relationship and label. */
function countLabels(base: GraphBase, type: number, ids: Int32Array): void {
  const { labelSets } = base.nodes;
  for (const [direction, nodes] of [
    ["out", base.relationships.starts],
    ["in", base.relationships.ends],
  ] as const) {
    const counts: number[] = [];
    for (const id of ids) {
      const set = labelSets[nodes[id] as number] as number;
      counts[set] = (counts[set] ?? 0) + 1;
    }
    counts.forEach((count, set) => {
      for (const label of base.nodes.labelsInSet(set)) {
        base.labelTypeCounts.add(label, type, direction, count);
      }
    });
  }
}
