/**
 * What PROFILE counts. Every operator's row is an event; the time since the event before it was spent by that operator,
 * since whatever lies below it had its own events. So times are the operators' own, pauses for others included.
 */
export class Profile {
  readonly rows: number[];
  readonly timesMs: number[];
  #lastMs: number = performance.now();

  /** @param operatorCount  0 where nothing is counted */
  constructor(operatorCount: number) {
    this.rows = new Array<number>(operatorCount).fill(0);
    this.timesMs = new Array<number>(operatorCount).fill(0);
  }

  /** The operator gives a row to what stands above it. */
  row(operator: number): void {
    const now = performance.now();
    this.rows[operator] = (this.rows[operator] ?? 0) + 1;
    this.timesMs[operator] = (this.timesMs[operator] ?? 0) + now - this.#lastMs;
    this.#lastMs = now;
  }
}
