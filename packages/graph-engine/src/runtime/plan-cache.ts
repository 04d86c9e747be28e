/** Keeps what was used last: a bounded cache in order of use. */
export class PlanCache<Entry> {
  readonly #capacity: number;
  readonly #entries: Map<string, Entry> = new Map<string, Entry>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  add(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#capacity) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest ?? key);
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}
