import { setImmediate } from "node:timers/promises";

/** How long one request may keep the thread before others get their turn. */
const TURN_MS = 5;

/** The time that long work has on this thread: `if (turn.isOver) { await turn.pass(); }` */
export class Turn {
  #endsMs = performance.now() + TURN_MS;

  get isOver(): boolean {
    return performance.now() >= this.#endsMs;
  }

  /** Lets others come first. */
  async pass(): Promise<void> {
    await setImmediate();
    this.#endsMs = performance.now() + TURN_MS;
  }
}
