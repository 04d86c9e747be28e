import { type IdCursor } from "../read-view.ts";

/** Ids below `limit` for which `isThere` holds, ascending. */
export class ScanCursor implements IdCursor {
  #next = 0;
  readonly #limit: number;
  readonly #isThere: (id: number) => boolean;

  constructor(limit: number, isThere: (id: number) => boolean) {
    this.#limit = limit;
    this.#isThere = isThere;
  }

  next(): number {
    while (this.#next < this.#limit) {
      const id = this.#next++;
      if (this.#isThere(id)) {
        return id;
      }
    }
    return -1;
  }
}

/** Places of an array that do not hold -1, ascending: the entities of a base table. */
export class TableCursor implements IdCursor {
  #next = 0;
  readonly #entries: Int32Array;
  readonly #limit: number;

  constructor(entries: Int32Array, limit: number) {
    this.#entries = entries;
    this.#limit = limit;
  }

  next(): number {
    while (this.#next < this.#limit) {
      const id = this.#next++;
      if (this.#entries[id] !== -1) {
        return id;
      }
    }
    return -1;
  }
}

/** Set bits of a bitmap, ascending: the nodes of a label. */
export class BitmapCursor implements IdCursor {
  #word = -1;
  #bits = 0;
  readonly #words: Uint32Array;

  constructor(words: Uint32Array) {
    this.#words = words;
  }

  next(): number {
    while (this.#bits === 0) {
      this.#word += 1;
      const bits = this.#words[this.#word];
      if (bits === undefined) {
        return -1;
      }
      this.#bits = bits;
    }
    const lowest = 31 - Math.clz32(this.#bits & -this.#bits);
    this.#bits &= this.#bits - 1;
    return this.#word * 32 + lowest;
  }
}
