import { type Expansion, newExpansion } from "./expansion.ts";
import { WALK_END, WALK_FOUND, WALK_PAUSE, type WalkOptions } from "./walk.ts";

const STEPS_PER_PAUSE = 10_000;

/** @param options  in one direction, with a minimum of 0 or 1, taking all relationships; for statements that do not write */
export function newReach(options: WalkOptions): Reach {
  return new Reach(options);
}

/**
 * All nodes at the ends of walks from a node, each once, breadth first: what is left of a {@link Walk} when only its
 * distinct ends matter. One object serves many starting nodes, one after the other.
 */
export class Reach {
  readonly #options: WalkOptions;
  readonly #expansion: Expansion;
  /** Per node the number of the search that met it. */
  readonly #met: Int32Array;
  #search = 0;
  #queue = new Int32Array(64);
  #head = 0;
  #tail = 0;
  /** Where the present distance's nodes end in the queue. */
  #levelEnd = 0;
  #distance = 0;
  #position = 0;
  #end = 0;
  #start = -1;
  #startIsDue = false;
  node = -1;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#expansion = newExpansion(options.view, options.direction, options.types);
    this.#met = new Int32Array(options.view.nodeIdLimit);
  }

  start(node: number): void {
    this.#search += 1;
    this.#head = 0;
    this.#tail = 0;
    this.#levelEnd = 0;
    this.#distance = 0;
    this.#position = 0;
    this.#end = 0;
    this.#start = node;
    this.#startIsDue = true;
    if (node >= 0) {
      this.#push(node);
      this.#levelEnd = 1;
    }
  }

  /** Moves on to the next node; {@link node} is then it. */
  next(): number {
    const { minimum } = this.#options;
    if (this.#startIsDue && minimum === 0 && this.#start >= 0) {
      this.#startIsDue = false;
      this.node = this.#start;
      return WALK_FOUND;
    }
    const expansion = this.#expansion;
    for (let steps = 0; steps < STEPS_PER_PAUSE; steps += 1) {
      if (this.#position >= this.#end) {
        if (!this.#advance()) {
          return WALK_END;
        }
        continue;
      }
      const neighbour = expansion.neighbours[this.#position++] as number;
      const isKnown = this.#met[neighbour] === this.#search;
      // The start is met from the beginning, but is an end only when a walk comes back to it.
      const isReturn = isKnown && neighbour === this.#start && this.#startIsDue;
      if (isKnown && !isReturn) {
        continue;
      }
      if (isReturn) {
        this.#startIsDue = false;
      } else {
        this.#push(neighbour);
      }
      this.node = neighbour;
      return WALK_FOUND;
    }
    return WALK_PAUSE;
  }

  /** Opens the next node of the queue; false when all within reach are done. */
  #advance(): boolean {
    const { maximum } = this.#options;
    if (this.#head === this.#levelEnd) {
      this.#distance += 1;
      this.#levelEnd = this.#tail;
    }
    if (this.#head === this.#tail || (maximum >= 0 && this.#distance >= maximum)) {
      return false;
    }
    this.#end = this.#expansion.open(this.#queue[this.#head++] as number);
    this.#position = this.#expansion.first;
    return true;
  }

  #push(node: number): void {
    this.#met[node] = this.#search;
    if (this.#tail === this.#queue.length) {
      const longer = new Int32Array(this.#tail * 2);
      longer.set(this.#queue);
      this.#queue = longer;
    }
    this.#queue[this.#tail++] = node;
  }
}
