import { type Direction, type ExpandBuffer, type ReadView } from "@trefoil/graph-store";
import { sortByAge } from "./by-age.ts";
import { RelationshipValue } from "../values/value.ts";

/** What {@link Walk.next} answers. */
export const WALK_END = 0;
export const WALK_FOUND = 1;
/** Much was looked at without a find: the caller may want to yield before it asks again. */
export const WALK_PAUSE = 2;

const STEPS_PER_PAUSE = 10_000;

export interface WalkOptions {
  readonly view: ReadView;
  readonly direction: Direction;
  /** Token ids; empty is any. */
  readonly types: readonly number[];
  readonly minimum: number;
  /** -1 for no bound. */
  readonly maximum: number;
  /** Whether a relationship may be taken; `undefined` takes all. */
  readonly accept: ((relationship: number) => boolean) | undefined;
  /** Whether a relationship may be met again on the same walk. */
  readonly repeatable: boolean;
  /** Whether the oldest of a node's relationships has to be gone along first. */
  readonly byAge?: boolean;
}

export function newWalk(options: WalkOptions): Walk {
  return new Walk(options);
}

/**
 * All walks from a node, depth first, that use no relationship twice: `(a)-[*1..3]->(b)`. One object serves many
 * starting nodes, one after the other.
 */
export class Walk {
  readonly #options: WalkOptions;
  readonly #buffers: ExpandBuffer[] = [];
  /** Per depth: how many relationships leave the node there, and which is next. */
  readonly #counts: number[] = [];
  readonly #positions: number[] = [];
  readonly #path: number[] = [];
  readonly #onPath: Set<number> = new Set<number>();
  #depth = 0;
  #entered = false;
  node = -1;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  start(node: number): void {
    this.#depth = 0;
    this.#path.length = 0;
    this.#onPath.clear();
    this.#entered = false;
    this.node = node;
  }

  /** Moves on to the next walk; {@link node} is then its end. */
  next(): number {
    const { minimum, maximum, accept, repeatable } = this.#options;
    if (!this.#entered) {
      this.#entered = true;
      if (this.node < 0) {
        return WALK_END;
      }
      this.#open(this.node);
      if (minimum === 0) {
        return WALK_FOUND;
      }
    }
    let steps = 0;
    while (this.#depth > 0) {
      const level = this.#depth - 1;
      // What was taken from this level before is done with.
      if (this.#path.length > level) {
        this.#onPath.delete(this.#path.pop() ?? -1);
      }
      const position = this.#positions[level] ?? 0;
      const buffer = this.#buffers[level];
      if (buffer === undefined || position >= (this.#counts[level] ?? 0)) {
        this.#depth -= 1;
        continue;
      }
      this.#positions[level] = position + 1;
      steps += 1;
      const relationship = buffer.relationships[position] ?? -1;
      if ((!repeatable && this.#onPath.has(relationship)) || (accept !== undefined && !accept(relationship))) {
        if (steps > STEPS_PER_PAUSE) {
          return WALK_PAUSE;
        }
        continue;
      }
      const neighbour = buffer.neighbours[position] ?? -1;
      this.#path.push(relationship);
      this.#onPath.add(relationship);
      const length = this.#path.length;
      this.node = neighbour;
      if (maximum < 0 || length < maximum) {
        this.#open(neighbour);
      }
      if (length >= minimum && (maximum < 0 || length <= maximum)) {
        return WALK_FOUND;
      }
      if (steps > STEPS_PER_PAUSE) {
        return WALK_PAUSE;
      }
    }
    return WALK_END;
  }

  /** The present walk's relationships, in walking order or turned round. */
  relationships(reversed: boolean): readonly RelationshipValue[] {
    const values = this.#path.map((id) => new RelationshipValue(id));
    return reversed ? values.toReversed() : values;
  }

  #open(node: number): void {
    const { view, direction, types, maximum, byAge } = this.#options;
    const level = this.#depth;
    let buffer = this.#buffers[level];
    if (buffer === undefined) {
      buffer = { relationships: new Int32Array(16), neighbours: new Int32Array(16) };
      this.#buffers[level] = buffer;
    }
    const count = maximum === 0 ? 0 : view.expand(node, direction, types, buffer);
    if (byAge === true) {
      sortByAge(buffer, count);
    }
    this.#counts[level] = count;
    this.#positions[level] = 0;
    this.#depth += 1;
  }
}
