import { type Direction, type ExpandBuffer, type ReadView } from "@trefoil/graph-store";
import { PathValue } from "../values/value.ts";

/**
 * The shortest paths between two nodes, breadth first from the start: one, or all of the least length.
 *
 * @param maximum  longest length, -1 for no bound
 * @param accept   whether a relationship may be taken
 */
export function shortestPaths(
  view: ReadView,
  from: number,
  to: number,
  direction: Direction,
  types: readonly number[],
  minimum: number,
  maximum: number,
  all: boolean,
  accept: ((relationship: number) => boolean) | undefined,
): readonly PathValue[] {
  if (from < 0 || to < 0) {
    return [];
  }
  if (from === to) {
    // No way round comes back as a shortest path: its start and end must differ (golden "clauses").
    return minimum === 0 ? [new PathValue([from], [])] : [];
  }
  const distances = new Map<number, number>([[from, 0]]);
  const incoming = new Map<number, { readonly relationship: number; readonly from: number }[]>();
  const buffer: ExpandBuffer = { relationships: new Int32Array(64), neighbours: new Int32Array(64) };
  let frontier = [from];
  for (let length = 1; frontier.length > 0 && (maximum < 0 || length <= maximum); length += 1) {
    const next: number[] = [];
    let found = false;
    for (const node of frontier) {
      const count = view.expand(node, direction, types, buffer);
      for (let index = 0; index < count; index += 1) {
        const relationship = buffer.relationships[index] ?? -1;
        const neighbour = buffer.neighbours[index] ?? -1;
        if (accept !== undefined && !accept(relationship)) {
          continue;
        }
        const isGoal = neighbour === to;
        const known = distances.get(neighbour);
        if (known !== undefined && known < length) {
          continue;
        }
        if (known === undefined && !(isGoal && found)) {
          distances.set(neighbour, length);
          next.push(neighbour);
        }
        found ||= isGoal;
        const ways = incoming.get(neighbour) ?? [];
        ways.push({ relationship, from: node });
        incoming.set(neighbour, ways);
      }
    }
    if (found) {
      return pathsTo(to, from, length, incoming, all);
    }
    frontier = next;
  }
  return [];
}

function pathsTo(
  to: number,
  from: number,
  length: number,
  incoming: ReadonlyMap<number, readonly { readonly relationship: number; readonly from: number }[]>,
  all: boolean,
): readonly PathValue[] {
  const paths: PathValue[] = [];
  const nodes = [to];
  const relationships: number[] = [];
  const walkBack = (node: number, left: number): boolean => {
    if (left === 0) {
      if (node === from) {
        paths.push(new PathValue(nodes.toReversed(), relationships.toReversed()));
        return !all;
      }
      return false;
    }
    for (const way of incoming.get(node) ?? []) {
      if (relationships.includes(way.relationship)) {
        continue;
      }
      nodes.push(way.from);
      relationships.push(way.relationship);
      const done = walkBack(way.from, left - 1);
      nodes.pop();
      relationships.pop();
      if (done) {
        return true;
      }
    }
    return false;
  };
  walkBack(to, length);
  return paths;
}
