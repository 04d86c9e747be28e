import { longer, type NeighbourOptions, NeighbourSet } from "./neighbour-set.ts";

/** A loop that goes through more than so many times what another set has is turned round. */
const TOO_MANY = 8;

/**
 * The nodes that several nodes lead to, for a loop over `nodes[0]` up to what {@link Intersection.meet} answers: one
 * row per way to get there, `relationships` holding one array per set.
 */
export function newIntersection(...sets: readonly NeighbourOptions[]): Intersection {
  return new Intersection(sets.map((options) => new NeighbourSet(options)));
}

/**
 * The intersection of sets of neighbours as worst-case-optimal joins have it (Ngo, Ré and Rudra 2014): one set is gone
 * through, the others are asked. Loops outside change one node much more often than the others, so that one is gone
 * through and the others stay marked. One object per operator and execution.
 */
export class Intersection {
  /** Each is opened at its node before {@link meet}. */
  readonly sets: readonly NeighbourSet[];
  nodes: Int32Array = new Int32Array(16);
  readonly relationships: Int32Array[];
  /** What the last call has looked at. */
  looked = 0;
  /** Those that are asked. */
  readonly #asked: NeighbourSet[];
  #count = 0;

  constructor(sets: readonly NeighbourSet[]) {
    this.sets = sets;
    this.#asked = sets.slice(1);
    this.relationships = sets.map(() => new Int32Array(16));
  }

  /** @returns  how many rows there are */
  meet(): number {
    this.#count = 0;
    const driver = this.#driver();
    this.looked = driver.degree + 1;
    if (driver.degree === 0) {
      return 0;
    }
    let asked = 0;
    for (const set of this.sets) {
      if (set !== driver) {
        this.looked += set.prepareFor(driver);
        this.#asked[asked] = set;
        asked += 1;
      }
    }
    this.#goThrough(driver);
    return this.#count;
  }

  /** The least of those whose node has just changed, unless another has far less. */
  #driver(): NeighbourSet {
    let [least, fresh] = [this.sets[0] as NeighbourSet, undefined as NeighbourSet | undefined];
    for (const set of this.sets) {
      if (set.degree < least.degree) {
        least = set;
      }
      if (set.isFresh && (fresh === undefined || set.degree < fresh.degree)) {
        fresh = set;
      }
    }
    return fresh === undefined || fresh.degree > TOO_MANY * least.degree ? least : fresh;
  }

  #goThrough(driver: NeighbourSet): void {
    const { neighbours, relationships, end } = driver;
    const { marks, isMarked } = this.#asked[0] as NeighbourSet;
    for (let place = driver.first; place < end; place += 1) {
      const node = neighbours[place] as number;
      // Most are no neighbours of the others: a look, no call.
      if (!isMarked || ((marks[node >> 5] as number) & (1 << (node & 31))) !== 0) {
        this.#addWays(driver, node, relationships[place] as number);
      }
    }
  }

  /** One row per combination of relationships that lead to `node`. */
  #addWays(driver: NeighbourSet, node: number, relationship: number): void {
    let ways = 1;
    for (const set of this.#asked) {
      ways *= set.find(node);
      if (ways === 0) {
        return;
      }
    }
    const from = this.#count;
    this.#reserve(from + ways);
    this.nodes.fill(node, from, from + ways);
    let repeats = 1;
    for (let index = 0; index < this.sets.length; index += 1) {
      const set = this.sets[index] as NeighbourSet;
      const column = this.relationships[index] as Int32Array;
      for (let way = 0; way < ways; way += 1) {
        column[from + way] =
          set === driver ? relationship : (set.found[Math.floor(way / repeats) % set.foundCount] as number);
      }
      repeats *= set === driver ? 1 : set.foundCount;
    }
    this.#count += ways;
  }

  #reserve(length: number): void {
    if (this.nodes.length < length) {
      const size = Math.max(length, this.nodes.length * 2);
      this.nodes = longer(this.nodes, size);
      this.relationships.forEach((column, index) => {
        this.relationships[index] = longer(column, size);
      });
    }
  }
}
