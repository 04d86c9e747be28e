import { type Clock } from "@trefoil/base";

/** This many failures in a row lock an account's name. */
const MAXIMUM_FAILURES = 3;
export const LOCK_MS = 5_000;

/**
 * Counts wrong passwords per account. After three in a row everything under that name is refused until five seconds
 * after the last counted one; attempts during the lock don't prolong it; the count stays until a success, so one more
 * failure afterwards locks again.
 *
 * @source graph-http §3, graph-measured (Auth)
 */
export class FailedAttempts {
  readonly #clock: Clock;
  readonly #failures = new Map<string, { count: number; lastMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isLocked(name: string): boolean {
    const failures = this.#failures.get(name);
    return (
      failures !== undefined && failures.count >= MAXIMUM_FAILURES && this.#clock.now() < failures.lastMs + LOCK_MS
    );
  }

  /** Call for accounts that exist only: their number bounds this table. */
  recordFailure(name: string): void {
    const count = (this.#failures.get(name)?.count ?? 0) + 1;
    this.#failures.set(name, { count, lastMs: this.#clock.now() });
  }

  recordSuccess(name: string): void {
    this.#failures.delete(name);
  }
}
