import { type BaseAdjacencyList, type Direction, type ReadView } from "@trefoil/graph-store";
import { sortByAge } from "./by-age.ts";

/** Times one target is asked for in a row before marking its neighbours is expected to pay. */
const ASKED_BEFORE_MARKING = 4;

/**
 * The relationships of a node, for a loop over `relationships[first]` up to what {@link Expansion.open} answers.
 *
 * @param types  token ids, empty for any; a function where a statement may make a type while it runs
 * @param byAge  whether they have to lie in the order in which they were made, as those of one type and direction do
 */
export function newExpansion(
  view: ReadView,
  direction: Direction,
  types: readonly number[] | (() => readonly number[]),
  byAge = false,
): Expansion {
  return new Expansion(view, direction, types, byAge);
}

/**
 * Over a clean view and one type, the arrays are the store's own and nothing is copied; else they are a buffer that the
 * view fills. Either way generated code has one loop. One object per operator and execution.
 */
export class Expansion {
  relationships: Int32Array = new Int32Array(16);
  neighbours: Int32Array = new Int32Array(16);
  /** Where the loop begins. */
  first = 0;
  readonly #view: ReadView;
  readonly #direction: Direction;
  readonly #types: readonly number[] | (() => readonly number[]);
  readonly #byAge: boolean;
  readonly #starts: Uint32Array = NO_STARTS;
  readonly #lengths: Int32Array = NO_LENGTHS;
  /** How many nodes `#starts` and `#lengths` speak of. */
  readonly #limit: number = 0;
  readonly #direct: boolean = false;
  /** The same relationships as their other ends have them. */
  readonly #turned: BaseAdjacencyList | undefined;
  #target = -1;
  #asked = 0;
  /** Per node, the mark of the last target that it was seen to lead to. */
  #marks: Int32Array | undefined;
  #mark = 0;

  constructor(
    view: ReadView,
    direction: Direction,
    types: readonly number[] | (() => readonly number[]),
    byAge: boolean,
  ) {
    this.#byAge = byAge;
    this.#view = view;
    this.#direction = direction;
    this.#types = types;
    if (!view.clean || direction === "both" || typeof types === "function" || types.length !== 1) {
      return;
    }
    const [type = -1] = types;
    const { outgoing, incoming } = view.base;
    const list = (direction === "out" ? outgoing : incoming).list(type);
    if (list === undefined) {
      this.#direct = true;
    } else if (list.dense) {
      this.#direct = true;
      this.#starts = list.starts;
      this.#lengths = list.lengths;
      this.#limit = list.lengths.length;
      this.relationships = list.relationships;
      this.neighbours = list.neighbours;
      this.#turned = (direction === "out" ? incoming : outgoing).list(type);
    }
  }

  /** @returns  the end of the loop: one beyond its last index */
  open(node: number): number {
    if (!this.#direct) {
      const types = this.#types;
      this.first = 0;
      const count = this.#view.expand(node, this.#direction, typeof types === "function" ? types() : types, this);
      if (this.#byAge) {
        sortByAge(this, count);
      }
      return count;
    }
    if (node >= this.#limit || node < 0) {
      this.first = 0;
      return 0;
    }
    const start = this.#starts[node] as number;
    this.first = start;
    return start + (this.#lengths[node] as number);
  }

  /** As {@link open}, for a loop that wants `target` only: empty when it is known not to be there. */
  openInto(node: number, target: number): number {
    if (this.#direct && target >= 0 && !this.#mayLead(node, target)) {
      this.first = 0;
      return 0;
    }
    return this.open(node);
  }

  /** How many times a loop over the node's relationships would turn. */
  degree(node: number): number {
    if (!this.#direct) {
      const types = this.#types;
      return this.#view.degree(node, this.#direction, typeof types === "function" ? types() : types);
    }
    return node < this.#limit && node >= 0 ? (this.#lengths[node] as number) : 0;
  }

  #mayLead(node: number, target: number): boolean {
    if (target !== this.#target) {
      this.#target = target;
      this.#asked = 0;
      return true;
    }
    this.#asked += 1;
    if (this.#asked < ASKED_BEFORE_MARKING) {
      return true;
    }
    if (this.#asked === ASKED_BEFORE_MARKING) {
      this.#markNeighboursOf(target);
    }
    return this.#marks === undefined || this.#marks[node] === this.#mark;
  }

  #markNeighboursOf(target: number): void {
    this.#mark += 1;
    this.#marks ??= new Int32Array(this.#view.nodeIdLimit);
    const list = this.#turned;
    const slot = list === undefined ? -1 : list.slotOf(target);
    const start = list?.starts[slot] ?? 0;
    const end = start + (list?.lengths[slot] ?? 0);
    for (let place = start; place < end; place += 1) {
      this.#marks[list?.neighbours[place] as number] = this.#mark;
    }
  }
}

const NO_STARTS = new Uint32Array();
const NO_LENGTHS = new Int32Array();
