const KEPT = 240;
/** Two drawings further apart than this were not meant to follow each other. */
const PAUSE_MS = 250;

/** How long drawings took to follow each other, for measurements. */
export class FrameClock {
  readonly #gapsMs: number[] = [];
  #lastMs = -Infinity;

  tick(timeMs: number): void {
    const gap = timeMs - this.#lastMs;
    this.#lastMs = timeMs;
    if (gap < PAUSE_MS) {
      this.#gapsMs.push(gap);
      if (this.#gapsMs.length > KEPT) {
        this.#gapsMs.shift();
      }
    }
  }

  /** Of the last drawings; undefined when there were none in a row. */
  get medianMs(): number | undefined {
    return this.#gapsMs.toSorted((left, right) => left - right)[Math.floor(this.#gapsMs.length / 2)];
  }

  reset(): void {
    this.#gapsMs.length = 0;
    this.#lastMs = -Infinity;
  }
}
