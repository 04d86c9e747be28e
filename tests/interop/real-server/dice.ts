/** Choices that are the same for the same seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0 and below 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const found = from[Math.floor(this.roll() * from.length)];
    if (found === undefined) {
      throw new RangeError("there is nothing to pick from");
    }
    return found;
  }

  /** One of several ways to go on. */
  do<T>(...ways: readonly (() => T)[]): T {
    return this.pick(ways)();
  }
}
