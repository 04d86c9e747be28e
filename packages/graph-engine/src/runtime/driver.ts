import { QueryError } from "@trefoil/cypher";
import { type CompiledRun } from "./compiled-run.ts";
import { beginSlice } from "../values/list-joining.ts";
import { MemoryGuard } from "./memory-guard.ts";
import { Pace } from "./pace.ts";
import { PAUSE, type Signal, TICK, WAIT_FOR_LOCK } from "./signals.ts";
import { type StatementContext } from "./statement-context.ts";
import { type Batch } from "./statement-result.ts";

export interface DriveOptions {
  readonly signal: AbortSignal | undefined;
  /** When the statement's time is over, in `now`'s milliseconds; infinite for none. */
  readonly deadlineMs: number;
  readonly now: () => number;
  /** What the statement may keep on the heap; 0 for a part of it. */
  readonly memoryBytes: number;
  /** Where a long read may go on, if it may. */
  readonly elsewhere?: Elsewhere | undefined;
}

/** Another thread. */
export interface Elsewhere {
  /** Whether it pays to begin there again, after so long here. */
  isWorthwhile(tookMs: number): boolean;
  /** The statement from its beginning; `undefined` when it cannot be run there after all, before the first batch. */
  run(): Promise<AsyncGenerator<Batch, void, void> | undefined>;
}

/**
 * Runs generated code to its end: hands out batches as they are asked for, lets other work have its turn at each TICK,
 * waits for locks, and stops when the statement is cancelled, or has no time or memory left. What waits for nothing
 * takes no promise either: a short read is over before the call that began it returns (decisions/0173).
 */
export class Drive {
  readonly #run: CompiledRun;
  readonly #statement: StatementContext;
  readonly #options: DriveOptions;
  readonly #pace = new Pace();
  #rows: Rows | undefined;
  #elsewhere: Elsewhere | undefined;
  /** Batches from another thread, once they come from there. */
  #moved: AsyncGenerator<Batch, void, void> | undefined;
  /** Statements that never pause are too short to need much. */
  #memory: MemoryGuard | undefined;
  #isClosed = false;

  constructor(run: CompiledRun, statement: StatementContext, options: DriveOptions) {
    this.#run = run;
    this.#statement = statement;
    this.#options = options;
    this.#elsewhere = options.elsewhere;
  }

  /**
   * The next batch; `undefined` after the last one, and when this is closed. To be asked for one at a time.
   *
   * @throws  QueryError of the statement; TransientError.Transaction.Terminated when it was stopped
   */
  next(): Batch | undefined | Promise<Batch | undefined> {
    if (this.#isClosed) {
      return undefined;
    }
    if (this.#moved !== undefined) {
      return this.#nextMoved(this.#moved);
    }
    try {
      checkStopped(this.#options);
      if (this.#rows === undefined) {
        this.#rows = this.#run(this.#statement);
        if (this.#elsewhere?.isWorthwhile(0) === true) {
          return this.#proceed(this.#rows, ELSEWHERE_AT_ONCE);
        }
      }
      const rows = this.#rows;
      const value = this.#step(rows, () => rows.next());
      return isBatch(value) ? value : this.#proceed(rows, value);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whatever the statement holds open is closed, other threads are let go; what is being waited for comes to nothing. */
  close(): void {
    this.#isClosed = true;
    this.#rows?.return();
    this.#moved?.return().catch(() => undefined);
  }

  /** What the statement yields next, beyond a TICK that comes before its slice is over; `undefined` when it is done. */
  #step(rows: Rows, resume: () => ReturnType<Rows["next"]>): Batch | Signal | Promise<unknown> | undefined {
    beginSlice();
    let { done, value } = this.#pace.measured(resume);
    while (value === TICK) {
      const turns = this.#pace.turnsWithinSlice();
      if (turns === undefined) {
        break;
      }
      ({ done, value } = this.#pace.measured(() => rows.next(turns)));
    }
    if (done === true) {
      return undefined;
    }
    if (typeof value === "object" && !(value instanceof Promise)) {
      // Rows that are out cannot be made again somewhere else.
      this.#elsewhere = undefined;
    }
    return value as Batch | Signal | Promise<unknown>;
  }

  /** Waits as the statement wants it, until there is a batch. */
  async #proceed(rows: Rows, first: Signal | Promise<unknown> | typeof ELSEWHERE_AT_ONCE): Promise<Batch | undefined> {
    try {
      let value: Batch | Signal | Promise<unknown> | typeof ELSEWHERE_AT_ONCE | undefined = first;
      while (!isBatch(value)) {
        const resume = await this.#waitFor(value, rows);
        if (this.#isClosed) {
          return undefined;
        }
        if (this.#moved !== undefined) {
          return await this.#nextMoved(this.#moved);
        }
        checkStopped(this.#options);
        value = this.#step(rows, resume);
      }
      return value;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** @returns how to go on, unless the rows come from another thread now */
  async #waitFor(
    value: Signal | Promise<unknown> | typeof ELSEWHERE_AT_ONCE,
    rows: Rows,
  ): Promise<() => ReturnType<Rows["next"]>> {
    switch (value) {
      case ELSEWHERE_AT_ONCE:
        await this.#move(rows);
        break;
      case TICK:
      case PAUSE: {
        if (this.#elsewhere?.isWorthwhile(this.#pace.totalMs) === true && (await this.#move(rows))) {
          break;
        }
        const turns = value === TICK ? this.#pace.turnsAfterSlice() : undefined;
        this.#memory ??= new MemoryGuard(this.#options.memoryBytes);
        this.#memory.pause();
        await nextTurn();
        this.#memory.resume();
        return () => rows.next(turns);
      }
      case WAIT_FOR_LOCK:
        await this.#statement.transaction.waitForLock();
        break;
      default:
        return await settled(value, rows, this.#options);
    }
    return () => rows.next();
  }

  /** Begins again in another thread; whether it could. */
  async #move(rows: Rows): Promise<boolean> {
    const elsewhere = this.#elsewhere;
    this.#elsewhere = undefined;
    const moved = await elsewhere?.run();
    if (moved === undefined) {
      return false;
    }
    this.#moved = moved;
    rows.return();
    if (this.#isClosed) {
      this.close();
    }
    return true;
  }

  async #nextMoved(moved: AsyncGenerator<Batch, void, void>): Promise<Batch | undefined> {
    const { done, value } = await moved.next();
    return done === true || this.#isClosed ? undefined : value;
  }
}

/** Instead of a signal: the statement took long before, and need not begin here. */
const ELSEWHERE_AT_ONCE = 0;

/** A batch, or nothing more. */
function isBatch(
  value: Batch | Signal | Promise<unknown> | typeof ELSEWHERE_AT_ONCE | undefined,
): value is Batch | undefined {
  return typeof value !== "number" && !(value instanceof Promise);
}

type Rows = ReturnType<CompiledRun>;

/** Beyond this a timer of Node's goes off at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Hands what a promise comes to back to where the statement waits for it; a failure is thrown there. */
async function settled(
  promise: Promise<unknown>,
  rows: Rows,
  options: DriveOptions,
): Promise<() => ReturnType<Rows["next"]>> {
  try {
    const answer = await unlessStopped(promise, options);
    return () => rows.next(answer);
  } catch (error) {
    return () => rows.throw(error);
  }
}

/** Waits no longer than the statement is wanted. */
async function unlessStopped(promise: Promise<unknown>, { signal, deadlineMs, now }: DriveOptions): Promise<unknown> {
  let forget = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    const onAbort = (): void => resolve();
    const remainingMs = deadlineMs - now() + 1;
    const timer = remainingMs <= LONGEST_TIMER_MS ? setTimeout(resolve, remainingMs) : undefined;
    signal?.addEventListener("abort", onAbort);
    forget = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    forget();
  }
}

function checkStopped({ signal, deadlineMs, now }: DriveOptions): void {
  if (signal?.aborted === true) {
    throw cancelled();
  }
  if (deadlineMs !== Number.POSITIVE_INFINITY && now() > deadlineMs) {
    throw outOfTime();
  }
}

/** What a statement fails with that is not wanted any more. */
export function cancelled(): QueryError {
  return terminated("The statement was cancelled.");
}

/** What a statement fails with whose time is over. */
export function outOfTime(): QueryError {
  return terminated("The statement ran longer than it is allowed to.");
}

function terminated(message: string): QueryError {
  return new QueryError("TransientError.Transaction.Terminated", message, { phase: "runtime" });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
