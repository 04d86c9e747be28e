/** Up to this many ids a bitmap is made at once; 128 KiB. */
const DENSE_LIMIT = 2 ** 20;
/** A set of numbers takes about this many times the room of a bit. */
const BITS_PER_ENTRY = 256;

/**
 * @param limit  every id is below it
 * @param many   whether there will be many sets, or one made often: each begins small
 */
export function newIdSet(limit: number, many: boolean): IdSet {
  return new IdSet(limit, many);
}

/** Ids seen so far: a bitmap, or a set while few of very many have been seen. -1 (null) is an id like any other. */
export class IdSet {
  readonly #words: number;
  #bits: Int32Array | undefined;
  #few: Set<number> | undefined;
  #size = 0;

  constructor(limit: number, many: boolean) {
    // Place 0 is for -1.
    this.#words = ((limit + 1) >>> 5) + 1;
    if (limit < DENSE_LIMIT && !many) {
      this.#bits = new Int32Array(this.#words);
    } else {
      this.#few = new Set();
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the id is new to the set, which then has it. */
  add(id: number): boolean {
    const bits = this.#bits;
    if (bits === undefined) {
      return this.#addToFew(id);
    }
    const place = id + 1;
    const word = bits[place >>> 5] as number;
    const bit = 1 << (place & 31);
    if ((word & bit) !== 0) {
      return false;
    }
    bits[place >>> 5] = word | bit;
    this.#size += 1;
    return true;
  }

  addAll(ids: Int32Array): void {
    for (const id of ids) {
      this.add(id);
    }
  }

  ids(): Int32Array {
    const bits = this.#bits;
    if (bits === undefined) {
      return Int32Array.from(this.#few ?? []);
    }
    const ids = new Int32Array(this.#size);
    let found = 0;
    for (let word = 0; word < bits.length; word += 1) {
      for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
        ids[found++] = word * 32 + (31 - Math.clz32(rest & -rest)) - 1;
      }
    }
    return ids;
  }

  #addToFew(id: number): boolean {
    const few = this.#few as Set<number>;
    if (few.has(id)) {
      return false;
    }
    few.add(id);
    this.#size += 1;
    if (few.size * BITS_PER_ENTRY > this.#words * 32) {
      const bits = new Int32Array(this.#words);
      for (const each of few) {
        const place = each + 1;
        bits[place >>> 5] = (bits[place >>> 5] as number) | (1 << (place & 31));
      }
      this.#bits = bits;
      this.#few = undefined;
    }
    return true;
  }
}
