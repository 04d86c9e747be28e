/** What was found out before, by key, at most so many: the oldest makes room for the newest. */
export class BoundedMap<Value> {
  readonly #limit: number;
  readonly #values = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    const oldest = this.#values.keys().next();
    if (this.#values.size >= this.#limit && oldest.done !== true) {
      this.#values.delete(oldest.value);
    }
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}
