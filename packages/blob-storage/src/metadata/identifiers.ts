const TICKS_PER_SECOND = 10_000_000n;
const TICKS_PER_MS = 10_000n;
/** Ticks of 100 ns from the year 1 to 1970: the service's ETags count them, and clients expect that look. */
const TICKS_TO_1970 = 621_355_968_000_000_000n;

/** Makes ETags and row numbers that rise with time and are never given out twice by one writer. */
export class Identifiers {
  #lastTicks = 0n;
  #lastId: number;

  /** @param lastId  the largest row number in use */
  constructor(lastId: number) {
    this.#lastId = lastId;
  }

  /** `"0x8DE2A4B1C3D5E6F"`: a time in ticks, moved on when two fall into one (storage §13). */
  newEtag(nowMs: number): string {
    return `"0x${this.#newTicks(nowMs).toString(16).toUpperCase()}"`;
  }

  /** `2026-11-20T12:00:00.1234567Z`. */
  newMoment(nowMs: number): string {
    const ticks = this.#newTicks(nowMs) - TICKS_TO_1970;
    const fraction = String(ticks % TICKS_PER_SECOND).padStart(7, "0");
    const seconds = new Date(Number(ticks / TICKS_PER_SECOND) * 1000).toISOString().slice(0, -".000Z".length);
    return `${seconds}.${fraction}Z`;
  }

  #newTicks(nowMs: number): bigint {
    const ticks = BigInt(nowMs) * TICKS_PER_MS + TICKS_TO_1970;
    this.#lastTicks = ticks > this.#lastTicks ? ticks : this.#lastTicks + 1n;
    return this.#lastTicks;
  }

  /** Milliseconds times 2^11 plus a counter, moved on likewise: below 2^53 for the next hundred years. */
  newId(nowMs: number): number {
    this.#lastId = Math.max(nowMs * 2048, this.#lastId + 1);
    return this.#lastId;
  }
}
