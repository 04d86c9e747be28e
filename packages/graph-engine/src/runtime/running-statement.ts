import { assert } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { type ReadView, type UpdateCounts } from "@trefoil/graph-store";
import { type KnownNames } from "../notifications/known-names.ts";
import { drive, type Elsewhere } from "./driver.ts";
import { type PreparedStatement } from "./prepared-statement.ts";
import { type StatementContext } from "./statement-context.ts";
import { type QueryType } from "../logical-plan/query-type.ts";
import { type ProfiledRows } from "../logical-plan/describe-plan.ts";
import { type Batch, type StatementResult, type StatementSummary } from "./statement-result.ts";

export interface RunOptions {
  readonly names: KnownNames;
  readonly signal: AbortSignal | undefined;
  readonly deadlineMs: number;
  readonly now: () => number;
  readonly memoryBytes: number;
  readonly elsewhere?: Elsewhere | undefined;
}

/** One execution: its rows run it, its end releases the view, its failure undoes what it wrote. */
export class RunningStatement implements StatementResult {
  readonly columns: readonly string[];
  readonly queryType: QueryType;
  rows: AsyncIterable<Batch>;
  /** What runs it, whatever stands before it. */
  readonly #running: AsyncGenerator<Batch, void, void>;
  readonly #prepared: PreparedStatement;
  readonly #statement: StatementContext;
  readonly #names: KnownNames;
  readonly #savepoint: number;
  readonly #countsBefore: UpdateCounts;
  #state: "running" | "finished" | "closed" = "running";
  #summary: StatementSummary | undefined;

  constructor(prepared: PreparedStatement, statement: StatementContext, options: RunOptions) {
    this.#prepared = prepared;
    this.#statement = statement;
    this.#names = options.names;
    this.columns = prepared.columns;
    this.queryType = prepared.queryType;
    this.#savepoint = statement.transaction.savepoint();
    this.#countsBefore = { ...statement.transaction.counts };
    this.#running = this.#run(options);
    this.rows = this.#running;
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

  /** Makes the first batch at once, so that what fails before it fails here; but not what fails after the beginning. */
  async prime(): Promise<void> {
    const rest = this.rows[Symbol.asyncIterator]();
    const first = rest.next();
    try {
      await first;
    } catch (error) {
      if (this.#prepared.startsAtOnce || !this.#statement.hasBegun) {
        throw error;
      }
    }
    this.rows = (async function* (): AsyncGenerator<Batch, void, void> {
      const { done, value } = await first;
      if (done !== true) {
        yield value;
        yield* { [Symbol.asyncIterator]: () => rest };
      }
    })();
  }

  close(): void {
    if (this.#state === "running") {
      // Who reads without a loop leaves the rows where they are, and with them what the statement holds: another thread.
      this.#running.return().catch(() => undefined);
      this.#giveUp();
    }
  }

  async *#run(options: RunOptions): AsyncGenerator<Batch, void, void> {
    if (this.#prepared.execution === "explain") {
      this.#finish();
      return;
    }
    try {
      for await (const batch of drive(this.#prepared.run, this.#statement, {
        ...options,
        transaction: this.#statement.transaction,
      })) {
        yield batch;
        if (this.#state !== "running") {
          return;
        }
      }
      this.#finish();
    } catch (error) {
      throw asQueryError(error);
    } finally {
      this.#giveUp();
    }
  }

  #finish(): void {
    const { counts } = this.#statement.transaction;
    const before = this.#countsBefore;
    this.#summary = {
      counts: {
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
      },
      queryType: this.#prepared.queryType,
      plan: this.#prepared.execution === "normal" ? undefined : this.#prepared.describe(this.#profile()),
      profiled: this.#prepared.execution === "profile",
      notifications: this.#prepared.execution === "explain" ? this.#prepared.notifications(this.#names) : [],
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
    if (this.#statement.transaction.state === "open") {
      this.#statement.transaction.rollbackTo(this.#savepoint);
    }
  }

  #end(state: "finished" | "closed"): void {
    this.#state = state;
    if (this.#statement.transaction.state === "open") {
      this.#statement.transaction.releaseView(this.view);
    }
  }
}

/** Limits of the machine become errors of the statement; everything else passes as it is. */
function asQueryError(error: unknown): unknown {
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
