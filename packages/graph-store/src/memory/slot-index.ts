import { sharedInt32 } from "./shared-array.ts";

const SMALLEST_TABLE = 256;
/** Below this many ids a dense array is always the smaller and faster choice. */
const ALWAYS_DENSE = 4096;

/**
 * Where a sparse column keeps the value of an entity: a hash table from id to slot, open addressing, ids + 1 as keys
 * (0 is a free place). Slots count up from 0 and stay; a value that is removed leaves its slot empty.
 */
export class SlotIndex {
  #keys = sharedInt32(SMALLEST_TABLE);
  #slots = sharedInt32(SMALLEST_TABLE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** -1 when `id` has no slot. */
  find(id: number): number {
    const mask = this.#keys.length - 1;
    let place = hashOf(id) & mask;
    for (;;) {
      const key = this.#keys[place] as number;
      if (key === id + 1) {
        return this.#slots[place] as number;
      }
      if (key === 0) {
        return -1;
      }
      place = (place + 1) & mask;
    }
  }

  /** The slot of `id`, made when it is not there. */
  add(id: number): number {
    const found = this.find(id);
    if (found >= 0) {
      return found;
    }
    if (this.#size * 2 >= this.#keys.length) {
      this.#grow();
    }
    this.#insert(id, this.#size);
    this.#size += 1;
    return this.#size - 1;
  }

  forEach(visit: (id: number, slot: number) => void): void {
    for (let place = 0; place < this.#keys.length; place++) {
      const key = this.#keys[place] as number;
      if (key !== 0) {
        visit(key - 1, this.#slots[place] as number);
      }
    }
  }

  /** The ids in slot order: what {@link SlotIndex.restore} takes. */
  idsBySlot(): Int32Array {
    const ids = sharedInt32(this.#size);
    this.forEach((id, slot) => {
      ids[slot] = id;
    });
    return ids;
  }

  static restore(ids: Int32Array): SlotIndex {
    const index = new SlotIndex();
    for (const id of ids) {
      index.add(id);
    }
    return index;
  }

  #grow(): void {
    const keys = this.#keys;
    const slots = this.#slots;
    this.#keys = sharedInt32(keys.length * 2);
    this.#slots = sharedInt32(keys.length * 2);
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] as number;
      if (key !== 0) {
        this.#insert(key - 1, slots[place] as number);
      }
    }
  }

  #insert(id: number, slot: number): void {
    const mask = this.#keys.length - 1;
    let place = hashOf(id) & mask;
    while (this.#keys[place] !== 0) {
      place = (place + 1) & mask;
    }
    this.#keys[place] = id + 1;
    this.#slots[place] = slot;
  }
}

/** Whether `count` values up to `id` should live in a hash table: a dense array would be more than seven eighths empty. */
export function isSparse(count: number, id: number): boolean {
  return id >= ALWAYS_DENSE && (count + 1) * 8 < id + 1;
}

/** Whether a hashed column has filled enough of the id range to become dense; apart from {@link isSparse} so that it does not flap. */
export function isDense(count: number, idLimit: number): boolean {
  return count * 4 >= idLimit;
}

/** Fibonacci hashing: neighbouring ids, the usual case, land far apart. */
function hashOf(id: number): number {
  const product = Math.imul(id, 0x9e3779b1);
  return (product ^ (product >>> 15)) >>> 0;
}
