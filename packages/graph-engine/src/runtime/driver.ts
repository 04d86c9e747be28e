import { QueryError } from "@trefoil/cypher";
import { type Transaction } from "@trefoil/graph-store";
import { type CompiledRun } from "./compiled-run.ts";
import { beginSlice } from "../values/list-joining.ts";
import { MemoryGuard } from "./memory-guard.ts";
import { Pace } from "./pace.ts";
import { PAUSE, TICK, WAIT_FOR_LOCK } from "./signals.ts";
import { type StatementContext } from "./statement-context.ts";
import { type Batch } from "./statement-result.ts";

export interface DriveOptions {
  readonly transaction: Transaction;
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
 * waits for locks, and stops when the statement is cancelled, or has no time or memory left.
 *
 * @throws  QueryError of the statement; TransientError.Transaction.Terminated when it was stopped
 */
export async function* drive(
  run: CompiledRun,
  statement: StatementContext,
  options: DriveOptions,
): AsyncGenerator<Batch, void, void> {
  checkStopped(options);
  if (options.elsewhere?.isWorthwhile(0) === true) {
    const moved = await options.elsewhere.run();
    if (moved !== undefined) {
      yield* moved;
      return;
    }
  }
  const pace = new Pace();
  const rows = run(statement);
  // Statements that never pause are too short to need much.
  let memory: MemoryGuard | undefined;
  let { elsewhere } = options;
  try {
    beginSlice();
    let step = pace.measured(() => rows.next());
    while (step.done !== true) {
      const { value } = step;
      let resume = (): typeof step => rows.next();
      if (value === TICK || value === PAUSE) {
        if (elsewhere?.isWorthwhile(pace.totalMs) === true) {
          const moved = await elsewhere.run();
          if (moved !== undefined) {
            yield* moved;
            return;
          }
          elsewhere = undefined;
        }
        const turns = value === TICK ? pace.turnsAfterSlice() : undefined;
        memory ??= new MemoryGuard(options.memoryBytes);
        memory.pause();
        await nextTurn();
        memory.resume();
        resume = () => rows.next(turns);
      } else if (value === WAIT_FOR_LOCK) {
        await options.transaction.waitForLock();
      } else if (value instanceof Promise) {
        resume = await settled(value, rows, options);
      } else {
        elsewhere = undefined;
        yield value;
      }
      checkStopped(options);
      beginSlice();
      step = pace.measured(resume);
    }
  } finally {
    // Given up on the way: what the statement holds open is closed.
    rows.return();
  }
}

type Rows = ReturnType<CompiledRun>;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
    throw terminated("The statement was cancelled.");
  }
  if (now() > deadlineMs) {
    throw terminated("The statement ran longer than it is allowed to.");
  }
}

function terminated(message: string): QueryError {
  return new QueryError("TransientError.Transaction.Terminated", message, { phase: "runtime" });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
