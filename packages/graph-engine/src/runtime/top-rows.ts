import { type Mode } from "@trefoil/cypher";
import { type GraphAccess } from "../values/graph-access.ts";
import { compareForOrder } from "../values/ordering.ts";
import { type Value } from "../values/value.ts";

/**
 * @param limit       how many rows to keep
 * @param descending  per sort key
 */
export function newTopRows(limit: number, descending: readonly boolean[], mode: Mode, access: GraphAccess): TopRows {
  return new TopRows(limit, descending, mode, access);
}

/**
 * ORDER BY with LIMIT: a heap of the best rows so far with the worst of them on top. The caller keeps the rows
 * themselves, by the places given out here: never more of them than the limit. Equal rows stay in the order they came.
 */
export class TopRows {
  /** The present row's sort keys, written by the caller before it asks for a {@link place}. */
  readonly keys: Value[];
  readonly #limit: number;
  readonly #descending: readonly boolean[];
  readonly #mode: Mode;
  readonly #access: GraphAccess;
  /** Sort keys by place, one after the other. */
  readonly #kept: Value[] = [];
  /** When a place's row came. */
  readonly #turns: number[] = [];
  readonly #heap: number[] = [];
  #turn = 0;

  constructor(limit: number, descending: readonly boolean[], mode: Mode, access: GraphAccess) {
    this.keys = descending.map(() => null);
    this.#limit = limit;
    this.#descending = descending;
    this.#mode = mode;
    this.#access = access;
  }

  /** Where to keep the present row, perhaps over another; -1 when it is not among the best. */
  place(): number {
    const heap = this.#heap;
    this.#turn += 1;
    if (heap.length < this.#limit) {
      const place = heap.length;
      this.#keep(place);
      heap.push(place);
      this.#raise();
      return place;
    }
    const worst = heap[0];
    // Of equal rows the one that came first is the better one.
    if (worst === undefined || this.#compare(this.keys, 0, worst) >= 0) {
      return -1;
    }
    this.#keep(worst);
    this.#sink();
    return worst;
  }

  /** The places of the kept rows, best first. */
  order(): readonly number[] {
    return this.#heap.toSorted((left, right) => (this.#isBefore(left, right) ? -1 : 1));
  }

  #keep(place: number): void {
    const { keys } = this;
    for (let key = 0; key < keys.length; key += 1) {
      this.#kept[place * keys.length + key] = keys[key] ?? null;
    }
    this.#turns[place] = this.#turn;
  }

  #isBefore(left: number, right: number): boolean {
    const result = this.#compare(this.#kept, left * this.keys.length, right);
    return result === 0 ? (this.#turns[left] ?? 0) < (this.#turns[right] ?? 0) : result < 0;
  }

  /** Compares the keys from `offset` of `values` on with those at a place. */
  #compare(values: readonly Value[], offset: number, place: number): number {
    const { length } = this.keys;
    for (let key = 0; key < length; key += 1) {
      const left = values[offset + key] ?? null;
      const right = this.#kept[place * length + key] ?? null;
      const result = compareForOrder(left, right, this.#mode, "ORDER BY", this.#access);
      if (result !== 0) {
        return this.#descending[key] === true ? -result : result;
      }
    }
    return 0;
  }

  /** Restores the heap after a row was added at its end. */
  #raise(): void {
    const heap = this.#heap;
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(heap[parent] as number, heap[child] as number)) {
        return;
      }
      this.#swap(parent, child);
      child = parent;
    }
  }

  /** Restores the heap after its top has changed. */
  #sink(): void {
    const heap = this.#heap;
    for (let parent = 0; ;) {
      let child = 2 * parent + 1;
      if (child + 1 < heap.length && this.#isBefore(heap[child] as number, heap[child + 1] as number)) {
        child += 1;
      }
      if (child >= heap.length || !this.#isBefore(heap[parent] as number, heap[child] as number)) {
        return;
      }
      this.#swap(parent, child);
      parent = child;
    }
  }

  #swap(left: number, right: number): void {
    const kept = this.#heap[left] as number;
    this.#heap[left] = this.#heap[right] as number;
    this.#heap[right] = kept;
  }
}
