import { TURNS_PER_TICK } from "./signals.ts";

/** How long a statement keeps the event loop to itself, about. */
const SLICE_MS = 2;
const FEWEST_TURNS = 32;
const MOST_TURNS = 500_000;
/** A turn may suddenly cost more than before: the next slice is never more than so many times longer. */
const FASTEST_GROWTH = 4;

/**
 * How many turns of its loops a statement makes before others have their turn: as many as took two milliseconds lately,
 * whether a turn is an addition or the reading of a text. Other requests wait no longer than for that. The first slice
 * begins with few turns and goes on while they prove cheap.
 */
export class Pace {
  /** Of the present slice. */
  #turns = TURNS_PER_TICK;
  /** What the statement itself has taken of the present slice; what is done with its rows in between does not count. */
  #elapsedMs = 0;
  /** What it has taken in all. */
  totalMs = 0;

  measured<T>(step: () => T): T {
    const beganMs = performance.now();
    const result = step();
    const tookMs = performance.now() - beganMs;
    this.#elapsedMs += tookMs;
    this.totalMs += tookMs;
    return result;
  }

  /** @returns  how many turns more the slice has time for; `undefined` when it is over, or nearly */
  turnsWithinSlice(): number | undefined {
    if (this.#elapsedMs > SLICE_MS / 2) {
      return undefined;
    }
    const more = this.#turnsPerSlice() - this.#turns;
    this.#turns += more;
    return more;
  }

  /** @returns  the turns of the next slice, now that one is over */
  turnsAfterSlice(): number {
    this.#turns = Math.min(MOST_TURNS, Math.max(FEWEST_TURNS, this.#turnsPerSlice()));
    this.#elapsedMs = 0;
    return this.#turns;
  }

  /** By what those of the present slice have taken. */
  #turnsPerSlice(): number {
    return Math.ceil((this.#turns * SLICE_MS) / Math.max(this.#elapsedMs, SLICE_MS / FASTEST_GROWTH));
  }
}
