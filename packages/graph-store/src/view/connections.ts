import { type AdjacencyList } from "../adjacency/adjacency-list.ts";
import { type Adjacency } from "../adjacency/adjacency.ts";
import { type Direction, type ExpandBuffer } from "../read-view.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { type AdjacencyChange, type RelationshipChange } from "../versions/changes.ts";

/** What reading a node's relationships needs of a view. */
export interface ConnectedView {
  readonly base: GraphBase;
  /** The base alone answers. */
  readonly clean: boolean;
  /** Up to which commit the node is seen. */
  limitOfNode(node: number): number;
  /** Whether the relationship is there for who sees commits up to `limit`. */
  isVisible(relationship: number, limit: number): boolean;
  /** Which of a node's relationships came or went since the base. */
  adjacencyChanges(node: number, list: keyof AdjacencyChange): readonly RelationshipChange[];
}

/** @param types  empty means any */
export function degreeOf(view: ConnectedView, node: number, direction: Direction, types: readonly number[]): number {
  let degree = 0;
  if (direction !== "in") {
    degree += degreeOneWay(view, node, "out", types);
  }
  if (direction !== "out") {
    degree += degreeOneWay(view, node, "in", types);
  }
  return direction === "both" ? degree - loopsOf(view, node, types) : degree;
}

/**
 * Fills the buffer with a node's relationships and where they lead.
 *
 * @returns how many there are
 */
export function expandFrom(
  view: ConnectedView,
  node: number,
  direction: Direction,
  types: readonly number[],
  buffer: ExpandBuffer,
): number {
  let count = 0;
  if (direction !== "in") {
    count = expandOneWay(view, node, "out", types, buffer, count, false);
  }
  if (direction !== "out") {
    count = expandOneWay(view, node, "in", types, buffer, count, direction === "both");
  }
  return count;
}

function added(view: ConnectedView, node: number, direction: "out" | "in"): readonly RelationshipChange[] {
  return view.adjacencyChanges(node, direction === "out" ? "outAdded" : "inAdded");
}

function removed(view: ConnectedView, node: number, direction: "out" | "in"): readonly RelationshipChange[] {
  return view.adjacencyChanges(node, direction === "out" ? "outRemoved" : "inRemoved");
}

function baseAdjacency({ base }: ConnectedView, direction: "out" | "in"): Adjacency {
  return direction === "out" ? base.outgoing : base.incoming;
}

function degreeOneWay(view: ConnectedView, node: number, direction: "out" | "in", types: readonly number[]): number {
  const adjacency = baseAdjacency(view, direction);
  let degree = 0;
  for (const type of types.length === 0 ? adjacency.typesOf(node) : types) {
    degree += adjacency.list(type)?.degree(node) ?? 0;
  }
  if (view.clean) {
    return degree;
  }
  const limit = view.limitOfNode(node);
  for (const { relationship, type } of added(view, node, direction)) {
    degree += matches(types, type) && view.isVisible(relationship, limit) ? 1 : 0;
  }
  for (const { relationship, type } of removed(view, node, direction)) {
    const wasCounted = matches(types, type) && view.base.relationships.exists(relationship);
    degree -= wasCounted && !view.isVisible(relationship, limit) ? 1 : 0;
  }
  return degree;
}

/** Relationships of the node to itself: met once when both directions are asked for. */
function loopsOf(view: ConnectedView, node: number, types: readonly number[]): number {
  const adjacency = view.base.incoming;
  const table = view.base.relationships;
  let loops = 0;
  for (const type of types.length === 0 ? adjacency.typesOf(node) : types) {
    const list = table.loopCount(type) === 0 ? undefined : adjacency.list(type);
    loops += list === undefined ? 0 : loopsIn(list, node);
  }
  if (view.clean) {
    return loops;
  }
  const limit = view.limitOfNode(node);
  for (const { relationship, type, start } of added(view, node, "in")) {
    loops += start === node && matches(types, type) && view.isVisible(relationship, limit) ? 1 : 0;
  }
  for (const { relationship, type, start } of removed(view, node, "in")) {
    const wasCounted = start === node && matches(types, type) && table.exists(relationship);
    loops -= wasCounted && !view.isVisible(relationship, limit) ? 1 : 0;
  }
  return loops;
}

function expandOneWay(
  view: ConnectedView,
  node: number,
  direction: "out" | "in",
  types: readonly number[],
  buffer: ExpandBuffer,
  from: number,
  withoutLoops: boolean,
): number {
  const adjacency = baseAdjacency(view, direction);
  const untouched = view.clean;
  const judged = !untouched && removed(view, node, direction).length > 0;
  const limit = untouched ? 0 : view.limitOfNode(node);
  let count = from;
  for (const type of types.length === 0 ? adjacency.typesOf(node) : types) {
    const list = adjacency.list(type);
    const slot = list === undefined ? -1 : list.slotOf(node);
    const length = list?.lengths[slot] ?? 0;
    if (list === undefined || length === 0) {
      continue;
    }
    const start = list.starts[slot] as number;
    reserve(buffer, count + length);
    for (let place = start; place < start + length; place++) {
      const relationship = list.relationships[place] as number;
      const neighbour = list.neighbours[place] as number;
      if ((withoutLoops && neighbour === node) || (judged && !view.isVisible(relationship, limit))) {
        continue;
      }
      buffer.relationships[count] = relationship;
      buffer.neighbours[count] = neighbour;
      count += 1;
    }
  }
  return untouched ? count : expandAdded(view, node, direction, types, buffer, count, withoutLoops, limit);
}

function expandAdded(
  view: ConnectedView,
  node: number,
  direction: "out" | "in",
  types: readonly number[],
  buffer: ExpandBuffer,
  from: number,
  withoutLoops: boolean,
  limit: number,
): number {
  const changes = added(view, node, direction);
  reserve(buffer, from + changes.length);
  let count = from;
  for (const { relationship, type, start, end } of changes) {
    const skipped = (withoutLoops && start === end) || !matches(types, type);
    if (!skipped && view.isVisible(relationship, limit)) {
      buffer.relationships[count] = relationship;
      buffer.neighbours[count] = direction === "out" ? end : start;
      count += 1;
    }
  }
  return count;
}

function matches(types: readonly number[], type: number): boolean {
  return types.length === 0 || types.includes(type);
}

function loopsIn(list: AdjacencyList, node: number): number {
  const slot = list.slotOf(node);
  const start = list.starts[slot] ?? 0;
  const end = start + (list.lengths[slot] ?? 0);
  let loops = 0;
  for (let place = start; place < end; place++) {
    loops += list.neighbours[place] === node ? 1 : 0;
  }
  return loops;
}

function reserve(buffer: ExpandBuffer, length: number): void {
  if (buffer.relationships.length < length) {
    const size = Math.max(length, buffer.relationships.length * 2, 16);
    const { relationships, neighbours } = buffer;
    buffer.relationships = new Int32Array(size);
    buffer.neighbours = new Int32Array(size);
    buffer.relationships.set(relationships);
    buffer.neighbours.set(neighbours);
  }
}
