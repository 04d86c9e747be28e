import { QueryError } from "@trefoil/cypher";
import { type Transaction } from "@trefoil/graph-store";
import { type CompiledRun } from "./compiled-run.ts";
import { TICK, WAIT_FOR_LOCK } from "./signals.ts";
import { type StatementContext } from "./statement-context.ts";
import { type Batch } from "./statement-result.ts";

export interface DriveOptions {
  readonly transaction: Transaction;
  readonly signal: AbortSignal | undefined;
  /** When the statement's time is over, in `now`'s milliseconds; infinite for none. */
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * Runs generated code to its end: hands out batches as they are asked for, lets other work have its turn at each TICK,
 * waits for locks, and stops when the statement is cancelled or its time is over.
 *
 * @throws  QueryError of the statement; TransientError.Transaction.Terminated when it was stopped
 */
export async function* drive(
  run: CompiledRun,
  statement: StatementContext,
  options: DriveOptions,
): AsyncGenerator<Batch, void, void> {
  const rows = run(statement);
  let answer: unknown;
  for (;;) {
    checkStopped(options);
    const { value, done } = rows.next(answer);
    answer = undefined;
    if (done === true) {
      return;
    }
    if (value === TICK) {
      await nextTurn();
    } else if (value === WAIT_FOR_LOCK) {
      await options.transaction.waitForLock();
    } else if (value instanceof Promise) {
      answer = await settled(value, rows);
    } else {
      yield value;
    }
  }
}

/** What a promise of the statement comes to; a failure is thrown where the statement waits for it. */
async function settled(promise: Promise<unknown>, rows: ReturnType<CompiledRun>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    // Whoever waits turns it into an error of the statement: this throws.
    rows.throw(error);
    return undefined;
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
