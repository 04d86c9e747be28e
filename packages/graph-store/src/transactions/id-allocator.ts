import { StoreError } from "../errors.ts";

const LARGEST_ID = 2 ** 31 - 2;
/**
 * How many freed ids are kept back, oldest first out. Clients of this interface hold ids in addresses; a fresh delete
 * must not let them reach a stranger soon (decisions/0046).
 */
const KEPT_BACK = 65_536;

/** Gives out ids of nodes (or relationships): new ones at the end, freed ones when enough of them have waited. */
export class IdAllocator {
  #next: number;
  #free: number[];
  #head = 0;
  #waiting: number;

  /** @param next  the first id never used; @param free  ids without an owner since before the store was opened */
  constructor(next: number, free: readonly number[]) {
    this.#next = next;
    this.#free = [...free];
    this.#waiting = 0;
  }

  /** Every id that was ever given out is below this. */
  get limit(): number {
    return this.#next;
  }

  allocate(): number {
    if (this.#free.length - this.#head > this.#waiting || this.#waiting > KEPT_BACK) {
      return this.#reuse();
    }
    if (this.#next > LARGEST_ID) {
      throw new StoreError("DatabaseError.General.UnknownFailure", "The store is full: no ids are left.");
    }
    return this.#next++;
  }

  /** No view sees the former owner any more. */
  free(id: number): void {
    this.#free.push(id);
    this.#waiting += 1;
  }

  #reuse(): number {
    const available = this.#free.length - this.#head - this.#waiting;
    const id = this.#free[this.#head] as number;
    this.#head += 1;
    this.#waiting -= available > 0 ? 0 : 1;
    if (this.#head > 1024 && this.#head * 2 > this.#free.length) {
      this.#free = this.#free.slice(this.#head);
      this.#head = 0;
    }
    return id;
  }
}
