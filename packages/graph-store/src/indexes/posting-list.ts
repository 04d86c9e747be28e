/** Ids of one posting list are kept in blocks of at most this many. */
const BLOCK_SIZE = 1024;

/**
 * Ascending ids, each as often as it was added. In blocks, so that adding or removing one among a million moves at most
 * one block.
 */
export class PostingList {
  readonly #blocks: Int32Array[] = [];
  readonly #lengths: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: number): void {
    this.#size += 1;
    const at = this.#blockFor(id);
    const block = this.#blocks[at];
    if (block === undefined) {
      const first = new Int32Array(8);
      first[0] = id;
      this.#blocks.push(first);
      this.#lengths.push(1);
      return;
    }
    const length = this.#lengths[at] as number;
    if (length === BLOCK_SIZE) {
      this.#split(at);
      this.#size -= 1;
      this.add(id);
      return;
    }
    const room = length < block.length ? block : this.#grow(at);
    const place = placeOf(room, length, id);
    room.copyWithin(place + 1, place, length);
    room[place] = id;
    this.#lengths[at] = length + 1;
  }

  /** Takes away one occurrence of `id`, if there is one. */
  remove(id: number): boolean {
    const at = this.#blockFor(id);
    const block = this.#blocks[at];
    const length = this.#lengths[at] ?? 0;
    const place = block === undefined ? 0 : placeOf(block, length, id);
    if (block === undefined || place >= length || block[place] !== id) {
      return false;
    }
    this.#size -= 1;
    if (length === 1) {
      this.#blocks.splice(at, 1);
      this.#lengths.splice(at, 1);
      return true;
    }
    block.copyWithin(place, place + 1, length);
    this.#lengths[at] = length - 1;
    return true;
  }

  /** Appends all ids to `into`, ascending. */
  collect(into: number[]): void {
    this.#blocks.forEach((block, at) => {
      const length = this.#lengths[at] as number;
      for (let place = 0; place < length; place++) {
        into.push(block[place] as number);
      }
    });
  }

  /** The first block whose last id is not below `id`, so that equal ids stay together; the last one for larger ids. */
  #blockFor(id: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.#blocks[middle] as Int32Array;
      if ((block[(this.#lengths[middle] as number) - 1] as number) < id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #grow(at: number): Int32Array {
    const block = this.#blocks[at] as Int32Array;
    const larger = new Int32Array(Math.min(BLOCK_SIZE, block.length * 2));
    larger.set(block);
    this.#blocks[at] = larger;
    return larger;
  }

  #split(at: number): void {
    const block = this.#blocks[at] as Int32Array;
    const half = BLOCK_SIZE / 2;
    const second = new Int32Array(BLOCK_SIZE);
    second.set(block.subarray(half));
    this.#blocks.splice(at + 1, 0, second);
    this.#lengths[at] = half;
    this.#lengths.splice(at + 1, 0, BLOCK_SIZE - half);
  }
}

/** The first place whose id is not below `id`. */
function placeOf(block: Int32Array, length: number, id: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((block[middle] as number) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
