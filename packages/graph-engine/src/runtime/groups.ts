import { type EquivalenceKey } from "../values/equivalence.ts";

/** Numbers for keys, for grouping and DISTINCT. */
export function newGroups(): Groups {
  return new Groups();
}

const FIRST_PLACES = 1024;
/** Whole numbers up to here find their group in an array: codes of texts, ids, ages, years. */
const MOST_PLACES = 2 ** 20;

/** Numbers keys from 0 up, in the order they first come. Small whole numbers cost an array access, others a Map's. */
export class Groups {
  size = 0;
  /** By key, its number plus one. */
  #places = new Int32Array(FIRST_PLACES);
  readonly #others = new Map<EquivalenceKey, number>();

  /** -1 when the key is new. */
  find(key: EquivalenceKey): number {
    return isPlace(key) ? (this.#places[key] ?? 0) - 1 : (this.#others.get(key) ?? -1);
  }

  /** The number of a key that is new. */
  add(key: EquivalenceKey): number {
    const group = this.size;
    this.size += 1;
    if (isPlace(key)) {
      if (key >= this.#places.length) {
        const places = new Int32Array(Math.min(MOST_PLACES, Math.max(key + 1, this.#places.length * 2)));
        places.set(this.#places);
        this.#places = places;
      }
      this.#places[key] = this.size;
    } else {
      this.#others.set(key, group);
    }
    return group;
  }
}

function isPlace(key: EquivalenceKey): key is number {
  return typeof key === "number" && (key | 0) === key && key >= 0 && key < MOST_PLACES;
}

/** One key for two: chained for more. */
export function newKeyPairs(): KeyPairs {
  return new KeyPairs();
}

const FIRST_PAIRS = 64;

/**
 * Numbers pairs of keys, from 0 up: without a text being written for each, as a key of several values otherwise needs.
 * A hash table with open addressing, at most half full.
 */
export class KeyPairs {
  readonly #left = new Groups();
  readonly #right = new Groups();
  #size = 0;
  /** By pair number, the numbers of its keys. */
  #lefts = new Int32Array(FIRST_PAIRS);
  #rights = new Int32Array(FIRST_PAIRS);
  /** Pair numbers plus one, 0 for a free place. */
  #table = new Int32Array(2 * FIRST_PAIRS);

  of(left: EquivalenceKey, right: EquivalenceKey): number {
    const l = numberOf(this.#left, left);
    const r = numberOf(this.#right, right);
    const mask = this.#table.length - 1;
    let place = hashOf(l, r) & mask;
    for (;;) {
      const pair = (this.#table[place] as number) - 1;
      if (pair < 0) {
        return this.#add(l, r, place);
      }
      if (this.#lefts[pair] === l && this.#rights[pair] === r) {
        return pair;
      }
      place = (place + 1) & mask;
    }
  }

  #add(left: number, right: number, place: number): number {
    const pair = this.#size;
    this.#size += 1;
    this.#lefts[pair] = left;
    this.#rights[pair] = right;
    this.#table[place] = this.#size;
    if (this.#size === this.#lefts.length) {
      this.#grow();
    }
    return pair;
  }

  #grow(): void {
    this.#lefts = doubled(this.#lefts);
    this.#rights = doubled(this.#rights);
    this.#table = new Int32Array(this.#table.length * 2);
    const mask = this.#table.length - 1;
    for (let pair = 0; pair < this.#size; pair++) {
      let place = hashOf(this.#lefts[pair] as number, this.#rights[pair] as number) & mask;
      while (this.#table[place] !== 0) {
        place = (place + 1) & mask;
      }
      this.#table[place] = pair + 1;
    }
  }
}

function hashOf(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right + 1, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(array.length * 2);
  copy.set(array);
  return copy;
}

function numberOf(groups: Groups, key: EquivalenceKey): number {
  const group = groups.find(key);
  return group < 0 ? groups.add(key) : group;
}
