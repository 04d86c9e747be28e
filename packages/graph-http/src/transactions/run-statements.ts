import { type Engine, type Mode, type Notification, type StatementResult } from "@trefoil/graph-engine";
import { type TokenTables, type Transaction } from "@trefoil/graph-store";
import { GraphRequestError } from "../errors.ts";
import { readStatements, type StatementRequest } from "../protocol/statements-request.ts";
import { refuseOversizedIntegers } from "./oversized-integers.ts";
import { type TextSink } from "../protocol/text-sink.ts";
import { writeResult } from "./result-writer.ts";

/** What statements over HTTP run in and answer into. */
export interface StatementContext {
  readonly engine: Engine;
  readonly mode: Mode;
  /** Of one statement; undefined: no limit. */
  readonly statementTimeoutMs: number | undefined;
  readonly tokens: TokenTables;
  readonly transaction: Transaction;
  readonly signal: AbortSignal;
  /** The transaction begins and ends with this request, so that USING PERIODIC COMMIT may commit it on the way. */
  readonly isOneShot: boolean;
  readonly sink: TextSink;
  /** Told of every statement before it runs. */
  readonly onStatement: (statement: string) => void;
  /** `<base>/db/data`, without a final slash. */
  readonly dataUrl: () => string;
}

/** How far the statements of a request came; `error` is what ended them early. */
export interface StatementsOutcome {
  readonly notifications: readonly Notification[];
  readonly error: unknown;
}

/**
 * Runs the statements of a body in order and writes each result while it runs; the first error ends them. The body is
 * read as it is worked on: statements before a mistake in it do run (graph-http §4.2), the caller rolls back.
 */
export async function runStatements(body: Buffer, context: StatementContext): Promise<StatementsOutcome> {
  const notifications: Notification[] = [];
  try {
    let separator = "";
    let place: "first" | "later" | "after periodic commit" = "first";
    for (const request of readStatements(body)) {
      if (place === "after periodic commit" || (place === "first" && commitsTooEarly(request, body))) {
        throw new GraphRequestError("ClientError.Statement.InvalidSemantics", AFTER_PERIODIC_COMMIT);
      }
      const started = execute(request, context, place === "first" && context.isOneShot);
      const result = started instanceof Promise ? await started : started;
      place = result.commitsPeriodically ? "after periodic commit" : "later";
      try {
        refuseResultBehindNotifications(notifications, context.mode);
        await writeResult(result, request, separator, context);
        separator = ",";
        notifications.push(...result.summary.notifications);
      } finally {
        result.close();
      }
    }
    return { notifications, error: undefined };
  } catch (error) {
    return { notifications, error: error ?? new GraphRequestError("DatabaseError.General.UnknownFailure", "unknown") };
  }
}

/** Whether the first statement would commit periodically although others follow: known before it has committed. */
function commitsTooEarly({ statement }: StatementRequest, body: Buffer): boolean {
  return /^\s*(?:\w+\s+)*?USING\s+PERIODIC\s+COMMIT\b/i.test(statement) && Array.from(readStatements(body)).length > 1;
}

/** 2.3 writes notifications behind the result they belong to, and can then write no other one (golden "notifications"). */
function refuseResultBehindNotifications(notifications: readonly Notification[], mode: Mode): void {
  if (mode === "2.3" && notifications.length > 0) {
    throw new GraphRequestError(
      "TransientError.Network.UnknownFailure",
      "Can not start an object, expecting field name",
    );
  }
}

const AFTER_PERIODIC_COMMIT =
  "Cannot execute another statement after executing PERIODIC COMMIT statement in the same transaction";

function execute(
  request: StatementRequest,
  context: StatementContext,
  periodicCommit: boolean,
): StatementResult | Promise<StatementResult> {
  context.signal.throwIfAborted();
  refuseOversizedIntegers(request, context.mode);
  context.onStatement(request.statement);
  return context.engine.execute(context.transaction, request.statement, request.parameters, {
    mode: context.mode,
    signal: context.signal,
    timeoutMs: context.statementTimeoutMs,
    periodicCommit,
  });
}
