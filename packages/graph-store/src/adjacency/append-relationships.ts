import { inParts, type Steps } from "../memory/steps.ts";
import { type Adjacency } from "./adjacency.ts";

/** Relationships or nodes that are gone through in a step. */
const PART = 1 << 13;

/** Both directions of the graph. */
export interface Adjacencies {
  readonly outgoing: Adjacency;
  readonly incoming: Adjacency;
}

/** Type, start and end by relationship. */
export interface RelationshipArrays {
  readonly types: { readonly [relationship: number]: number };
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * Enters many relationships of one type into the lists of their nodes, in the order of `ids`: every run gets its final
 * size at once.
 */
export function* appendRelationships(
  { outgoing, incoming }: Adjacencies,
  type: number,
  ids: Int32Array,
  { starts, ends }: RelationshipArrays,
  nodeIdLimit: number,
): Steps<void> {
  yield* append(outgoing, type, ids, starts, ends, nodeIdLimit);
  yield* append(incoming, type, ids, ends, starts, nodeIdLimit);
}

/** Relationships apart by type, in the order of `ids`. */
export function* idsByType(
  ids: Int32Array,
  types: RelationshipArrays["types"],
): Steps<ReadonlyMap<number, Int32Array>> {
  const counts: number[] = [];
  yield* inParts(ids.length, PART, (from, to) => {
    for (const id of ids.subarray(from, to)) {
      const type = types[id] as number;
      counts[type] = (counts[type] ?? 0) + 1;
    }
  });
  const byType = new Map<number, Int32Array>();
  counts.forEach((count, type) => byType.set(type, count === ids.length ? ids : new Int32Array(count)));
  if (byType.size > 1) {
    const filled = counts.map(() => 0);
    yield* inParts(ids.length, PART, (from, to) => {
      for (const id of ids.subarray(from, to)) {
        const type = types[id] as number;
        const at = filled[type] as number;
        (byType.get(type) as Int32Array)[at] = id;
        filled[type] = at + 1;
      }
    });
  }
  return byType;
}

/** @param nodes, neighbours  the two ends by relationship */
function* append(
  adjacency: Adjacency,
  type: number,
  ids: Int32Array,
  nodes: Int32Array,
  neighbours: Int32Array,
  nodeIdLimit: number,
): Steps<void> {
  const list = adjacency.listFor(type);
  // Counting every node's degree pays where many of them have the type.
  if (ids.length * 16 <= nodeIdLimit) {
    list.reservePool(ids.length);
    yield* inParts(ids.length, PART, (from, to) => {
      for (const id of ids.subarray(from, to)) {
        const node = nodes[id] as number;
        list.append(node, id, neighbours[id] as number);
        adjacency.noteType(node, type);
      }
    });
    return;
  }
  const degrees = new Int32Array(nodeIdLimit);
  yield* inParts(ids.length, PART, (from, to) => {
    for (const id of ids.subarray(from, to)) {
      const node = nodes[id] as number;
      degrees[node] = (degrees[node] as number) + 1;
    }
  });
  yield* list.appendCounted(degrees, ids, nodes, neighbours);
  yield* inParts(nodeIdLimit, PART, (from, to) => {
    for (let node = from; node < to; node++) {
      if (degrees[node] !== 0) {
        adjacency.noteType(node, type);
      }
    }
  });
}
