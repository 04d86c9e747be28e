import { assert } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { NO_UPDATES, type ReadView, type UpdateCounts } from "@trefoil/graph-store";
import { type KnownNames } from "../notifications/known-names.ts";
import { Drive, type DriveOptions } from "./driver.ts";
import { type PreparedStatement } from "./prepared-statement.ts";
import { type StatementContext } from "./statement-context.ts";
import { type QueryType } from "../logical-plan/query-type.ts";
import { type ProfiledRows } from "../logical-plan/describe-plan.ts";
import { type Batch, type StatementResult, type StatementSummary } from "./statement-result.ts";

export interface RunOptions extends DriveOptions {
  /** What is known when it is explained. */
  readonly names: () => KnownNames;
}

/** One execution: its rows run it, its end releases the view, its failure undoes what it wrote. */
export class RunningStatement implements StatementResult {
  readonly columns: readonly string[];
  readonly queryType: QueryType;
  readonly #drive: Drive;
  readonly #prepared: PreparedStatement;
  readonly #statement: StatementContext;
  readonly #names: () => KnownNames;
  /** Of statements that write. */
  readonly #before: { readonly savepoint: number; readonly counts: UpdateCounts } | undefined;
  #state: "running" | "finished" | "closed" = "running";
  /** The first batch, or what there was instead, made before it was asked for. */
  #primed: { readonly batch: Batch | undefined } | { readonly error: unknown } | undefined;
  #summary: StatementSummary | undefined;

  constructor(prepared: PreparedStatement, statement: StatementContext, options: RunOptions) {
    this.#prepared = prepared;
    this.#statement = statement;
    this.#names = options.names;
    this.columns = prepared.columns;
    this.queryType = prepared.queryType;
    const { transaction } = statement;
    this.#before =
      prepared.queryType === "r"
        ? undefined
        : { savepoint: transaction.savepoint(), counts: { ...transaction.counts } };
    this.#drive = new Drive(prepared.run, statement, options);
  }

  get rows(): AsyncIterable<Batch> {
    return rowsOf(this);
  }

  get view(): ReadView {
    return this.#statement.view;
  }

  get commitsPeriodically(): boolean {
    return this.#prepared.commitsPeriodically;
  }

  get summary(): StatementSummary {
    assert(this.#summary !== undefined, "the summary is asked for after the last row");
    return this.#summary;
  }

  next(): Batch | undefined | Promise<Batch | undefined> {
    const primed = this.#primed;
    if (primed !== undefined) {
      this.#primed = undefined;
      if ("error" in primed) {
        throw primed.error;
      }
      return primed.batch;
    }
    if (this.#state !== "running") {
      return undefined;
    }
    if (this.#prepared.execution === "explain") {
      return this.#handOut(undefined);
    }
    try {
      const batch = this.#drive.next();
      return batch instanceof Promise ? this.#handOutLater(batch) : this.#handOut(batch);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /**
   * Makes the first batch at once, so that what fails before it fails here; but not what fails after the beginning.
   * Nothing is to be awaited when it is there already.
   */
  prime(): Promise<void> | undefined {
    try {
      const batch = this.next();
      if (batch instanceof Promise) {
        return this.#primeLater(batch);
      }
      this.#primed = { batch };
    } catch (error) {
      this.#primeFailed(error);
    }
    return undefined;
  }

  close(): void {
    if (this.#state === "running") {
      this.#drive.close();
      this.#giveUp();
    }
  }

  async #primeLater(first: Promise<Batch | undefined>): Promise<void> {
    try {
      this.#primed = { batch: await first };
    } catch (error) {
      this.#primeFailed(error);
    }
  }

  #primeFailed(error: unknown): void {
    if (this.#prepared.startsAtOnce || !this.#statement.hasBegun) {
      throw error;
    }
    this.#primed = { error };
  }

  #handOut(batch: Batch | undefined): Batch | undefined {
    if (batch === undefined && this.#state === "running") {
      this.#finish();
    }
    return batch;
  }

  async #handOutLater(batch: Promise<Batch | undefined>): Promise<Batch | undefined> {
    try {
      return this.#handOut(await batch);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** What is told of a failure. */
  #failed(error: unknown): unknown {
    this.#drive.close();
    this.#giveUp();
    return asQueryError(error);
  }

  #finish(): void {
    this.#summary = {
      counts:
        this.#before === undefined ? NO_UPDATES : countsSince(this.#before.counts, this.#statement.transaction.counts),
      queryType: this.#prepared.queryType,
      plan: this.#prepared.execution === "normal" ? undefined : this.#prepared.describe(this.#profile()),
      profiled: this.#prepared.execution === "profile",
      notifications: this.#prepared.execution === "explain" ? this.#prepared.notifications(this.#names()) : [],
    };
    this.#end("finished");
  }

  #profile(): ProfiledRows | undefined {
    if (this.#prepared.execution !== "profile") {
      return undefined;
    }
    const { rows, timesMs } = this.#statement.profile;
    // 2.3 has no times.
    return this.#prepared.mode === "modern" ? { rows, timesMs } : { rows };
  }

  #giveUp(): void {
    if (this.#state === "running") {
      this.#undo();
      this.#end("closed");
    }
  }

  #undo(): void {
    if (this.#before !== undefined && this.#statement.transaction.state === "open") {
      this.#statement.transaction.rollbackTo(this.#before.savepoint);
    }
  }

  #end(state: "finished" | "closed"): void {
    this.#state = state;
    if (this.#statement.transaction.state === "open") {
      this.#statement.transaction.releaseView(this.view);
    }
  }
}

async function* rowsOf(statement: RunningStatement): AsyncGenerator<Batch, void, void> {
  try {
    for (let batch = await statement.next(); batch !== undefined; batch = await statement.next()) {
      yield batch;
    }
  } finally {
    statement.close();
  }
}

function countsSince(before: UpdateCounts, counts: UpdateCounts): UpdateCounts {
  return {
    nodesCreated: counts.nodesCreated - before.nodesCreated,
    nodesDeleted: counts.nodesDeleted - before.nodesDeleted,
    relationshipsCreated: counts.relationshipsCreated - before.relationshipsCreated,
    relationshipsDeleted: counts.relationshipsDeleted - before.relationshipsDeleted,
    propertiesSet: counts.propertiesSet - before.propertiesSet,
    labelsAdded: counts.labelsAdded - before.labelsAdded,
    labelsRemoved: counts.labelsRemoved - before.labelsRemoved,
    indexesAdded: counts.indexesAdded - before.indexesAdded,
    indexesRemoved: counts.indexesRemoved - before.indexesRemoved,
    constraintsAdded: counts.constraintsAdded - before.constraintsAdded,
    constraintsRemoved: counts.constraintsRemoved - before.constraintsRemoved,
  };
}

/** Limits of the machine become errors of the statement; everything else passes as it is. */
export function asQueryError(error: unknown): unknown {
  if (error instanceof RangeError) {
    return new QueryError(
      "DatabaseError.Statement.ExecutionFailure",
      "The statement needs more than can be computed.",
      {
        phase: "runtime",
        cause: error,
      },
    );
  }
  return error;
}
