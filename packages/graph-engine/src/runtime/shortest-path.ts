import { type Direction, type ReadView } from "@trefoil/graph-store";
import { IdMap } from "./id-map.ts";
import { PAUSE, type Signal } from "./signals.ts";
import { PathValue } from "../values/value.ts";
import { type Expansion, newExpansion } from "./expansion.ts";

/** What a path must be like; what is not said holds for all. */
export interface PathConditions {
  /** Of each relationship. */
  readonly relationship?: Judge<number> | undefined;
  /** Of each node, both ends among them. */
  readonly node?: Judge<number> | undefined;
  /** Of the whole path; it may look into the graph, and so takes turns with others. */
  readonly path?: PathTest | undefined;
}

type Judge<T> = (of: T) => boolean;
type PathTest = (path: PathValue) => Search<boolean>;
/** What yields now and then before it has a result. */
type Search<Result> = Generator<Signal, Result, unknown>;

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
 * The shortest paths between two nodes that are as wanted: one, or all of the least length. Yields now and then, so that
 * a search through half the graph can be cancelled and does not hold up others.
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
  conditions: PathConditions,
): Search<readonly PathValue[]> {
  const { node, path: holds } = conditions;
  if (from < 0 || to < 0 || node?.(from) === false || node?.(to) === false) {
    return [];
  }
  const edges: Edges = { view, direction, types, conditions };
  const shortest = yield* fromBothEnds(edges, from, to, minimum, maximum, all);
  const [first] = shortest;
  if (holds === undefined || first === undefined) {
    return shortest;
  }
  const kept: PathValue[] = [];
  for (const path of shortest) {
    if (yield* holds(path)) {
      kept.push(path);
    }
  }
  if (kept.length > 0 || from === to) {
    return kept;
  }
  const { length } = first.relationships;
  return yield* pathsByLength(edges, from, to, all ? length + 1 : length, maximum, all, holds);
}

/** What can be walked along. */
interface Edges {
  readonly view: ReadView;
  readonly direction: Direction;
  readonly types: readonly number[];
  readonly conditions: PathConditions;
}

/** Whether a step may be taken. */
function isOpen({ conditions: { relationship, node } }: Edges, taken: number, neighbour: number): boolean {
  return (relationship === undefined || relationship(taken)) && (node === undefined || node(neighbour));
}

/** Breadth first from both ends at once, without a look at whole paths. */
function* fromBothEnds(
  edges: Edges,
  from: number,
  to: number,
  minimum: number,
  maximum: number,
  all: boolean,
): Search<readonly PathValue[]> {
  if (from === to) {
    // No way round comes back as a shortest path: its start and end must differ (golden "clauses").
    return minimum === 0 ? [new PathValue([from], [])] : [];
  }
  const { view, direction, types } = edges;
  const forward = new Side(from, newExpansion(view, direction, types), edges);
  const backward = new Side(to, newExpansion(view, opposite(direction), types), edges);
  while (forward.frontier.length > 0 && backward.frontier.length > 0) {
    if (maximum >= 0 && forward.depth + backward.depth >= maximum) {
      return [];
    }
    // The side that has less to look at goes on.
    const [side, other] =
      forward.frontier.length <= backward.frontier.length ? [forward, backward] : [backward, forward];
    if (yield* side.grow(other, all)) {
      const middles = side.frontier.filter((node) => other.distances.has(node));
      return pathsThrough(middles, forward, backward, all);
    }
  }
  return [];
}

/** One end of the search: all nodes within `depth` of its origin. */
class Side {
  readonly expansion: Expansion;
  readonly edges: Edges;
  readonly distances = new IdMap();
  /** The nodes at `depth`. */
  frontier: readonly number[];
  depth = 0;

  constructor(origin: number, expansion: Expansion, edges: Edges) {
    this.expansion = expansion;
    this.edges = edges;
    this.distances.set(origin, 0);
    this.frontier = [origin];
  }

  /**
   * Looks one relationship further; whether the two sides have met.
   *
   * @param all  whether every node where they meet is wanted: one is enough to be done with
   */
  *grow(other: Side | undefined, all: boolean): Generator<typeof PAUSE, boolean, unknown> {
    const { expansion, distances, edges } = this;
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
        if (distances.has(neighbour) || !isOpen(edges, expansion.relationships[place] as number, neighbour)) {
          continue;
        }
        distances.set(neighbour, this.depth);
        next.push(neighbour);
        if (other?.distances.has(neighbour) === true) {
          met = true;
          if (!all) {
            this.frontier = next;
            return true;
          }
        }
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

function pathsThrough(middles: readonly number[], forward: Side, backward: Side, all: boolean): readonly PathValue[] {
  return middles.flatMap((middle) => {
    const starts = waysTo(middle, forward, backward.expansion, all);
    const ends = waysTo(middle, backward, forward.expansion, all);
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
function waysTo(node: number, side: Side, turned: Expansion, all: boolean): readonly Half[] {
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
    if (side.distances.get(neighbour) === distance - 1 && isOpen(side.edges, relationship, neighbour)) {
      steps.push({ node: neighbour, relationship });
    }
  }
  return steps.flatMap((step) =>
    waysTo(step.node, side, turned, all).map((rest) => ({
      nodes: [step.node, ...rest.nodes],
      relationships: [step.relationship, ...rest.relationships],
    })),
  );
}

/**
 * Paths of growing length until some hold: as with any walk, no relationship is used twice. Nodes from which the end
 * cannot be reached within the length are left out, so that each length costs as little as it can; yet there may be very
 * many paths, as in everything that looks at all of them.
 */
function* pathsByLength(
  edges: Edges,
  from: number,
  to: number,
  first: number,
  maximum: number,
  all: boolean,
  holds: PathTest,
): Search<readonly PathValue[]> {
  const distances = yield* distancesTo(edges, to);
  for (let length = first; maximum < 0 || length <= maximum; length += 1) {
    const found: PathValue[] = [];
    const walk = walksOfLength(edges, from, to, length, distances);
    let step = walk.next();
    for (; step.done !== true; step = walk.next()) {
      if (step.value === PAUSE) {
        yield PAUSE;
      } else if (yield* holds(step.value)) {
        found.push(step.value);
        if (!all) {
          return found;
        }
      }
    }
    if (found.length > 0 || !step.value) {
      return found;
    }
  }
  return [];
}

/** How far the end is from every node that leads to it. */
function* distancesTo(edges: Edges, to: number): Generator<typeof PAUSE, IdMap, unknown> {
  const { view, direction, types } = edges;
  const side = new Side(to, newExpansion(view, opposite(direction), types), edges);
  while (side.frontier.length > 0) {
    yield* side.grow(undefined, true);
  }
  return side.distances;
}

/** One node of the walk under way, with the steps that are still to be tried from it. */
interface Stop {
  readonly node: number;
  readonly steps: readonly { readonly relationship: number; readonly neighbour: number }[];
  next: number;
}

/** All paths of exactly this length; returns whether a longer one may exist. */
function* walksOfLength(
  edges: Edges,
  from: number,
  to: number,
  length: number,
  distances: IdMap,
): Generator<PathValue | typeof PAUSE, boolean, unknown> {
  const expansion = newExpansion(edges.view, edges.direction, edges.types);
  const used = new Set<number>();
  const taken: number[] = [];
  let isCut = false;
  let turns = 0;
  const open = (node: number): Stop => {
    const steps: { relationship: number; neighbour: number }[] = [];
    const end = expansion.open(node);
    for (let place = expansion.first; place < end; place += 1) {
      const relationship = expansion.relationships[place] as number;
      const neighbour = expansion.neighbours[place] as number;
      const distance = distances.get(neighbour);
      if (distance === undefined || used.has(relationship) || !isOpen(edges, relationship, neighbour)) {
        continue;
      }
      if (taken.length + 1 + distance > length) {
        isCut = true;
      } else {
        steps.push({ relationship, neighbour });
      }
    }
    return { node, steps, next: 0 };
  };
  const stops: Stop[] = [open(from)];
  for (let stop = stops.at(-1); stop !== undefined; stop = stops.at(-1)) {
    turns += 1;
    if (turns % NODES_PER_PAUSE === 0) {
      yield PAUSE;
    }
    const step = stop.steps[stop.next];
    if (step === undefined) {
      stops.pop();
      const last = taken.pop();
      if (last !== undefined) {
        used.delete(last);
      }
      continue;
    }
    stop.next += 1;
    taken.push(step.relationship);
    used.add(step.relationship);
    if (taken.length < length) {
      stops.push(open(step.neighbour));
      continue;
    }
    if (step.neighbour === to) {
      yield new PathValue([...stops.map((each) => each.node), to], [...taken]);
    }
    isCut = true;
    taken.pop();
    used.delete(step.relationship);
  }
  return isCut;
}

function opposite(direction: Direction): Direction {
  return direction === "out" ? "in" : direction === "in" ? "out" : "both";
}
