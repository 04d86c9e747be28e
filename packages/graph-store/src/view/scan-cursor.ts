import { type IdCursor, type IdRange } from "../read-view.ts";

/**
 * The entities of a base table together with those that newer changes touch, ascending. Which ones are touched is taken
 * when the scan begins: for all others the base says the same for as long as the view is open.
 */
export class MergedCursor implements IdCursor {
  readonly #base: IdCursor;
  readonly #touched: readonly number[];
  readonly #isTouched: ReadonlySet<number>;
  readonly #isThere: (id: number) => boolean;
  #nextTouched = 0;
  #nextBase: number;

  /** @param isThere  whether the view sees the entity now */
  constructor(base: IdCursor, touched: ReadonlySet<number>, isThere: (id: number) => boolean) {
    this.#base = base;
    this.#isTouched = touched;
    this.#touched = [...touched].toSorted((a, b) => a - b);
    this.#isThere = isThere;
    this.#nextBase = this.#untouched();
  }

  next(): number {
    for (;;) {
      const touched = this.#touched[this.#nextTouched] ?? -1;
      if (touched < 0 && this.#nextBase < 0) {
        return -1;
      }
      const isBaseNext = touched < 0 || (this.#nextBase >= 0 && this.#nextBase < touched);
      const id = isBaseNext ? this.#nextBase : touched;
      if (isBaseNext) {
        this.#nextBase = this.#untouched();
      } else {
        this.#nextTouched += 1;
      }
      if (this.#isThere(id)) {
        return id;
      }
    }
  }

  #untouched(): number {
    let id = this.#base.next();
    while (id >= 0 && this.#isTouched.has(id)) {
      id = this.#base.next();
    }
    return id;
  }
}

/** Places of an array that do not hold -1, ascending: the entities of a base table. */
export class TableCursor implements IdCursor {
  #next: number;
  readonly #entries: Int32Array;
  readonly #limit: number;

  constructor(entries: Int32Array, limit: number, { from, to }: IdRange) {
    this.#entries = entries;
    this.#next = from;
    this.#limit = Math.min(limit, to);
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
  #word: number;
  #bits = 0;
  readonly #words: Uint32Array;
  readonly #end: number;

  constructor(words: Uint32Array, { from, to }: IdRange) {
    this.#words = words;
    this.#word = from / 32 - 1;
    this.#end = Math.min(words.length, to / 32);
  }

  next(): number {
    while (this.#bits === 0) {
      this.#word += 1;
      if (this.#word >= this.#end) {
        return -1;
      }
      this.#bits = this.#words[this.#word] as number;
    }
    const lowest = 31 - Math.clz32(this.#bits & -this.#bits);
    this.#bits &= this.#bits - 1;
    return this.#word * 32 + lowest;
  }
}
