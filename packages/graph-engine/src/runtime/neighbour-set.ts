import { type Direction, type ReadView } from "@trefoil/graph-store";
import { type Expansion, newExpansion } from "./expansion.ts";

/** Which relationships of a node lead to its neighbours. */
export interface NeighbourOptions {
  readonly view: ReadView;
  readonly direction: Direction;
  readonly types: readonly number[] | (() => readonly number[]);
  /** Whether what was read stays right while the statement runs: one that writes reads anew each time. */
  readonly isSettled: boolean;
}

/** The neighbours of one node at a time, to go through or to ask for one of them. */
export class NeighbourSet {
  node = -1;
  /** The relationships are those from `first` up to `end`. */
  first = 0;
  end = 0;
  neighbours: Int32Array = NONE;
  relationships: Int32Array = NONE;
  /** Whether the node is another than before. */
  isFresh = true;
  /** What {@link find} has found: the first `foundCount`. */
  found: Int32Array = new Int32Array(4);
  foundCount = 0;
  /** One bit per node, set for neighbours while `isMarked`. */
  marks: Int32Array = NONE;
  isMarked = false;
  readonly #options: NeighbourOptions;
  readonly #expansion: Expansion;
  /** The same relationships, as the neighbours have them. */
  readonly #back: Expansion;
  /** Per marked node, the place of its first relationship, counted from `first`. */
  #places: Int32Array = NONE;
  /** Per place, the next one that leads to the same neighbour; -1 for none. */
  #links: Int32Array = NONE;
  /** What asking the neighbours instead of marking them has cost so far. */
  #spent = 0;

  constructor(options: NeighbourOptions) {
    const { view, direction, types } = options;
    this.#options = options;
    this.#expansion = newExpansion(view, direction, types);
    this.#back = newExpansion(view, direction === "both" ? "both" : direction === "out" ? "in" : "out", types);
  }

  get degree(): number {
    return this.end - this.first;
  }

  open(node: number): void {
    this.isFresh = node !== this.node || !this.#options.isSettled;
    if (!this.isFresh) {
      return;
    }
    if (this.isMarked) {
      this.#unmark();
    }
    this.node = node;
    this.end = this.#expansion.open(node);
    this.first = this.#expansion.first;
    this.neighbours = this.#expansion.neighbours;
    this.relationships = this.#expansion.relationships;
    this.#spent = 0;
  }

  /**
   * Made ready to be asked for the neighbours that `other` has, in the cheaper way: marking all there are here serves
   * later questions too, asking each candidate pays where these are many and those have few.
   *
   * @returns  relationships looked at
   */
  prepareFor(other: NeighbourSet): number {
    if (this.isMarked) {
      return 0;
    }
    if (this.degree > MANY_MORE * other.degree) {
      let questions = other.degree;
      for (let place = other.first; place < other.end; place += 1) {
        questions += this.#back.degree(other.neighbours[place] as number);
      }
      this.#spent += questions;
      if (this.#spent < this.degree) {
        return questions;
      }
    }
    this.#mark();
    return this.degree;
  }

  /** Fills `found` with the relationships that lead to `neighbour`; how many there are. */
  find(neighbour: number): number {
    this.foundCount = 0;
    if (!this.isMarked) {
      return this.#findFromBehind(neighbour);
    }
    if (((this.marks[neighbour >> 5] as number) & (1 << (neighbour & 31))) === 0) {
      return 0;
    }
    for (let place = this.#places[neighbour] as number; place >= 0; place = this.#links[place] as number) {
      this.#add(this.relationships[this.first + place] as number);
    }
    return this.foundCount;
  }

  #findFromBehind(neighbour: number): number {
    const end = this.#back.open(neighbour);
    const { neighbours, relationships } = this.#back;
    for (let place = this.#back.first; place < end; place += 1) {
      if (neighbours[place] === this.node) {
        this.#add(relationships[place] as number);
      }
    }
    return this.foundCount;
  }

  #add(relationship: number): void {
    if (this.foundCount === this.found.length) {
      this.found = longer(this.found, this.foundCount * 2);
    }
    this.found[this.foundCount] = relationship;
    this.foundCount += 1;
  }

  #mark(): void {
    const { degree, first, neighbours } = this;
    this.#reserve(this.#options.view.nodeIdLimit, degree);
    const { marks } = this;
    const places = this.#places;
    const links = this.#links;
    // Backwards, so that parallel relationships are found in their order.
    for (let place = degree - 1; place >= 0; place -= 1) {
      const neighbour = neighbours[first + place] as number;
      const word = marks[neighbour >> 5] as number;
      const bit = 1 << (neighbour & 31);
      links[place] = (word & bit) === 0 ? -1 : (places[neighbour] as number);
      places[neighbour] = place;
      marks[neighbour >> 5] = word | bit;
    }
    this.isMarked = true;
  }

  /** Before other neighbours take the place of those that are marked. */
  #unmark(): void {
    const { marks, neighbours, end } = this;
    for (let place = this.first; place < end; place += 1) {
      marks[(neighbours[place] as number) >> 5] = 0;
    }
    this.isMarked = false;
  }

  #reserve(nodeIdLimit: number, degree: number): void {
    if (this.#places.length < nodeIdLimit) {
      this.#places = new Int32Array(nodeIdLimit);
      this.marks = new Int32Array((nodeIdLimit >> 5) + 1);
    }
    if (this.#links.length < degree) {
      this.#links = new Int32Array(degree * 2);
    }
  }
}

/** From so many times the neighbours on, asking each candidate is thought of. */
const MANY_MORE = 16;
const NONE = new Int32Array();

/** The same elements with room for `length`. */
export function longer(array: Int32Array, length: number): Int32Array {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
