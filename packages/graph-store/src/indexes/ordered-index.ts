/** Entries per block: a block is moved as a whole when one is put in its middle. */
const BLOCK_SIZE = 512;

interface Block<K> {
  readonly keys: K[];
  readonly ids: number[];
}

/**
 * Entries (key, id) in order of key, then id, each as often as it was added: the ordered part of an index, of numbers
 * or of texts (by UTF-16 unit). In blocks, so that one more among a million moves little.
 */
export class OrderedIndex<K extends number | string> {
  #blocks: Block<K>[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param entries  in any order */
  static of<K extends number | string>(entries: readonly (readonly [key: K, id: number])[]): OrderedIndex<K> {
    const index = new OrderedIndex<K>();
    index.#size = entries.length;
    const sorted = entries.toSorted(([left, leftId], [right, rightId]) => compare(left, leftId, right, rightId));
    for (let at = 0; at < sorted.length; at += BLOCK_SIZE / 2) {
      const part = sorted.slice(at, at + BLOCK_SIZE / 2);
      index.#blocks.push({ keys: part.map(([key]) => key), ids: part.map(([, id]) => id) });
    }
    return index;
  }

  add(key: K, id: number): void {
    this.#size += 1;
    const at = this.#blockFor(key, id);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push({ keys: [key], ids: [id] });
      return;
    }
    const place = placeOf(block, key, id);
    block.keys.splice(place, 0, key);
    block.ids.splice(place, 0, id);
    if (block.ids.length > BLOCK_SIZE) {
      const half = BLOCK_SIZE / 2;
      this.#blocks.splice(at + 1, 0, { keys: block.keys.splice(half), ids: block.ids.splice(half) });
    }
  }

  /** Takes away one entry, if it is there. */
  remove(key: K, id: number): void {
    const at = this.#blockFor(key, id);
    const block = this.#blocks[at];
    const place = block === undefined ? 0 : placeOf(block, key, id);
    if (block === undefined || block.keys[place] !== key || block.ids[place] !== id) {
      return;
    }
    this.#size -= 1;
    block.keys.splice(place, 1);
    block.ids.splice(place, 1);
    if (block.ids.length === 0) {
      this.#blocks.splice(at, 1);
    }
  }

  /**
   * Appends the ids of entries from `from` on (from the first when `undefined`) for as long as `goesOn` holds for their
   * keys.
   */
  collect(from: K | undefined, goesOn: (key: K) => boolean, into: number[]): void {
    let at = from === undefined ? 0 : this.#blockFor(from, -1);
    let place = from === undefined ? 0 : placeOf(this.#blocks[at] ?? EMPTY, from, -1);
    for (; at < this.#blocks.length; at++, place = 0) {
      const { keys, ids } = this.#blocks[at] as Block<K>;
      for (; place < ids.length; place++) {
        if (!goesOn(keys[place] as K)) {
          return;
        }
        into.push(ids[place] as number);
      }
    }
  }

  /** The first block whose last entry is not below; the last block for what is above all. */
  #blockFor(key: K, id: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { keys, ids } = this.#blocks[middle] as Block<K>;
      const last = ids.length - 1;
      if (compare(keys[last] as K, ids[last] as number, key, id) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

const EMPTY = { keys: [], ids: [] };

function placeOf<K extends number | string>({ keys, ids }: Block<K>, key: K, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(keys[middle] as K, ids[middle] as number, key, id) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function compare<K extends number | string>(left: K, leftId: number, right: K, rightId: number): number {
  return left < right ? -1 : left > right ? 1 : leftId - rightId;
}
