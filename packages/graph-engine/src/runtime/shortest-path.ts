import { type Direction, type ReadView } from "@trefoil/graph-store";
import { PAUSE } from "./signals.ts";
import { PathValue } from "../values/value.ts";
import { type Expansion, newExpansion } from "./expansion.ts";

/** Whether a relationship may be taken; `undefined` takes all. */
type Accept = ((relationship: number) => boolean) | undefined;

/** Nodes looked at between two PAUSEs. */
const NODES_PER_PAUSE = 1_000;

/** As {@link searchShortestPaths}, in one go: for where generated code cannot yield. */
export function shortestPaths(...args: Parameters<typeof searchShortestPaths>): readonly PathValue[] {
  const search = searchShortestPaths(...args);
  let step = search.next();
  while (step.done !== true) {
    step = search.next();
  }
  return step.value;
}

/**
 * The shortest paths between two nodes, breadth first from both ends at once: one, or all of the least length. Yields
 * now and then, so that a search through half the graph can be cancelled and does not hold up others.
 *
 * @param maximum  longest length, -1 for no bound
 */
export function* searchShortestPaths(
  view: ReadView,
  from: number,
  to: number,
  direction: Direction,
  types: readonly number[],
  minimum: number,
  maximum: number,
  all: boolean,
  accept: Accept,
): Generator<typeof PAUSE, readonly PathValue[], unknown> {
  if (from < 0 || to < 0) {
    return [];
  }
  if (from === to) {
    // No way round comes back as a shortest path: its start and end must differ (golden "clauses").
    return minimum === 0 ? [new PathValue([from], [])] : [];
  }
  const forward = new Side(from, newExpansion(view, direction, types));
  const backward = new Side(to, newExpansion(view, opposite(direction), types));
  while (forward.frontier.length > 0 && backward.frontier.length > 0) {
    if (maximum >= 0 && forward.depth + backward.depth >= maximum) {
      return [];
    }
    // The side that has less to look at goes on.
    const [side, other] =
      forward.frontier.length <= backward.frontier.length ? [forward, backward] : [backward, forward];
    if (yield* side.grow(other, accept)) {
      const middles = side.frontier.filter((node) => other.distances.has(node));
      return pathsThrough(all ? middles : middles.slice(0, 1), forward, backward, all, accept);
    }
  }
  return [];
}

/** One end of the search: all nodes within `depth` of its origin. */
class Side {
  readonly expansion: Expansion;
  readonly distances: Map<number, number>;
  /** The nodes at `depth`. */
  frontier: readonly number[];
  depth = 0;

  constructor(origin: number, expansion: Expansion) {
    this.expansion = expansion;
    this.distances = new Map([[origin, 0]]);
    this.frontier = [origin];
  }

  /** Looks one relationship further; whether the two sides have met. */
  *grow(other: Side, accept: Accept): Generator<typeof PAUSE, boolean, unknown> {
    const { expansion, distances } = this;
    const next: number[] = [];
    let met = false;
    this.depth += 1;
    for (const [index, node] of this.frontier.entries()) {
      if (index % NODES_PER_PAUSE === NODES_PER_PAUSE - 1) {
        yield PAUSE;
      }
      const end = expansion.open(node);
      for (let place = expansion.first; place < end; place += 1) {
        const neighbour = expansion.neighbours[place] as number;
        if (distances.has(neighbour) || (accept !== undefined && !accept(expansion.relationships[place] as number))) {
          continue;
        }
        distances.set(neighbour, this.depth);
        next.push(neighbour);
        met ||= other.distances.has(neighbour);
      }
    }
    this.frontier = next;
    return met;
  }
}

/** A way from a node in the middle to an origin, the middle node itself left out. */
interface Half {
  readonly nodes: readonly number[];
  readonly relationships: readonly number[];
}

function pathsThrough(
  middles: readonly number[],
  forward: Side,
  backward: Side,
  all: boolean,
  accept: Accept,
): readonly PathValue[] {
  return middles.flatMap((middle) => {
    const starts = waysTo(middle, forward, backward.expansion, all, accept);
    const ends = waysTo(middle, backward, forward.expansion, all, accept);
    return starts.flatMap((start) =>
      ends.map(
        (end) =>
          new PathValue(
            [...start.nodes.toReversed(), middle, ...end.nodes],
            [...start.relationships.toReversed(), ...end.relationships],
          ),
      ),
    );
  });
}

/**
 * The ways from `node` to the side's origin, or one of them.
 *
 * @param turned  goes against the side's direction
 */
function waysTo(node: number, side: Side, turned: Expansion, all: boolean, accept: Accept): readonly Half[] {
  const distance = side.distances.get(node) ?? 0;
  if (distance === 0) {
    return [{ nodes: [], relationships: [] }];
  }
  // Noted before going on: the expansion serves the next node, too.
  const steps: { readonly node: number; readonly relationship: number }[] = [];
  const end = turned.open(node);
  for (let place = turned.first; place < end && (all || steps.length === 0); place += 1) {
    const neighbour = turned.neighbours[place] as number;
    const relationship = turned.relationships[place] as number;
    if (side.distances.get(neighbour) === distance - 1 && (accept === undefined || accept(relationship))) {
      steps.push({ node: neighbour, relationship });
    }
  }
  return steps.flatMap((step) =>
    waysTo(step.node, side, turned, all, accept).map((rest) => ({
      nodes: [step.node, ...rest.nodes],
      relationships: [step.relationship, ...rest.relationships],
    })),
  );
}

function opposite(direction: Direction): Direction {
  return direction === "out" ? "in" : direction === "in" ? "out" : "both";
}
