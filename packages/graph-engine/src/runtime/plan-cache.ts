interface Kept<Entry> {
  readonly key: string;
  readonly entry: Entry;
}

/** Keeps what was used last: a bounded cache in order of use. */
export class PlanCache<Entry> {
  readonly #capacity: number;
  readonly #entries: Map<string, Kept<Entry>> = new Map();
  /** Used last, and therefore last among the entries. */
  #last: Kept<Entry> | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find(key: string): Entry | undefined {
    const kept = this.#entries.get(key);
    if (kept !== undefined && kept !== this.#last) {
      this.#putLast(kept);
    }
    return kept?.entry;
  }

  add(key: string, entry: Entry): void {
    // A part of a text keeps the whole of it: that would be the body of a request.
    this.#putLast({ key: ` ${key}`.slice(1), entry });
    if (this.#entries.size > this.#capacity) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest ?? key);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#last = undefined;
  }

  #putLast(kept: Kept<Entry>): void {
    this.#entries.delete(kept.key);
    this.#entries.set(kept.key, kept);
    this.#last = kept;
  }
}
