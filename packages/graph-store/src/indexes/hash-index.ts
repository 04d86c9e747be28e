import { PostingList } from "./posting-list.ts";

const FIRST_TABLE = 64;
const FREE = 0;
const REMOVED = -2147483648;

/**
 * From the hash of a value to the ids that have it. Open addressing over typed arrays; a place holds one id, or names
 * a {@link PostingList}. No values are kept: whoever asks compares them with what the graph says, which is needed
 * anyway because an entry may belong to an older state than the asker's (decisions/0080).
 */
export class HashIndex {
  #hashes = new Int32Array(FIRST_TABLE);
  /** `FREE`, `REMOVED`, an id + 1, or -1 - the number of a list. */
  #heads = new Int32Array(FIRST_TABLE);
  #used = 0;
  #distinct = 0;
  #size = 0;
  readonly #lists: (PostingList | undefined)[] = [];
  readonly #freeLists: number[] = [];

  /** How many entries there are. */
  get size(): number {
    return this.#size;
  }

  /** How many different hashes there are: about as many as different values. */
  get distinct(): number {
    return this.#distinct;
  }

  add(hash: number, id: number): void {
    this.#size += 1;
    const place = this.#placeOf(hash);
    if (place >= 0) {
      this.#listAt(place).add(id);
      return;
    }
    if ((this.#used + 1) * 2 > this.#heads.length) {
      this.#rebuild();
    }
    this.#enter(hash, id + 1);
    this.#distinct += 1;
  }

  /** Takes away one entry, if it is there. */
  remove(hash: number, id: number): void {
    const place = this.#placeOf(hash);
    const head = this.#heads[place] ?? FREE;
    if (head > 0) {
      if (head === id + 1) {
        this.#heads[place] = REMOVED;
        this.#distinct -= 1;
        this.#size -= 1;
      }
    } else if (head < 0) {
      const number = -1 - head;
      const list = this.#lists[number] as PostingList;
      if (list.remove(id)) {
        this.#size -= 1;
      }
      if (list.size === 0) {
        this.#lists[number] = undefined;
        this.#freeLists.push(number);
        this.#heads[place] = REMOVED;
        this.#distinct -= 1;
      }
    }
  }

  /** Appends the ids entered under `hash` to `into`, ascending; an id may come more than once. */
  collect(hash: number, into: number[]): void {
    const place = this.#placeOf(hash);
    const head = this.#heads[place] ?? FREE;
    if (head > 0) {
      into.push(head - 1);
    } else if (head < 0) {
      (this.#lists[-1 - head] as PostingList).collect(into);
    }
  }

  /** Appends every id to `into`, in no order. */
  collectAll(into: number[]): void {
    for (const head of this.#heads) {
      if (head > 0) {
        into.push(head - 1);
      } else if (head < 0 && head !== REMOVED) {
        (this.#lists[-1 - head] as PostingList).collect(into);
      }
    }
  }

  /** Where `hash` is, or -1. */
  #placeOf(hash: number): number {
    const mask = this.#heads.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const head = this.#heads[place];
      if (head === FREE) {
        return -1;
      }
      if (head !== REMOVED && this.#hashes[place] === hash) {
        return place;
      }
    }
  }

  #listAt(place: number): PostingList {
    const head = this.#heads[place] as number;
    if (head < 0) {
      return this.#lists[-1 - head] as PostingList;
    }
    const list = new PostingList();
    list.add(head - 1);
    const number = this.#freeLists.pop() ?? this.#lists.length;
    this.#lists[number] = list;
    this.#heads[place] = -1 - number;
    return list;
  }

  #enter(hash: number, head: number): void {
    const mask = this.#heads.length - 1;
    let place = hash & mask;
    while (this.#heads[place] !== FREE) {
      place = (place + 1) & mask;
    }
    this.#hashes[place] = hash;
    this.#heads[place] = head;
    this.#used += 1;
  }

  #rebuild(): void {
    const hashes = this.#hashes;
    const heads = this.#heads;
    let size = FIRST_TABLE;
    while (size < (this.#distinct + 1) * 4) {
      size *= 2;
    }
    this.#hashes = new Int32Array(size);
    this.#heads = new Int32Array(size);
    this.#used = 0;
    for (let place = 0; place < heads.length; place++) {
      const head = heads[place] as number;
      if (head !== FREE && head !== REMOVED) {
        this.#enter(hashes[place] as number, head);
      }
    }
  }
}
