import { type GraphAccess, type PlanDescription, type StatementResult, type Value } from "@trefoil/graph-engine";
import { type TokenTables, type UpdateCounts } from "@trefoil/graph-store";
import { fromEngine } from "./values/from-engine.ts";
import { type GraphValue } from "./values/graph-value.ts";

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, GraphValue>>;

/** What a statement gave, read to its end. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** What the statement changed. */
  readonly counts: Readonly<UpdateCounts>;
  /** Of EXPLAIN and PROFILE. */
  readonly plan: PlanDescription | undefined;
}

/**
 * The rows of a running statement, made as they are asked for: what is not read takes no memory. To leave the loop
 * gives the statement up, and takes back what it has written.
 */
export interface RowStream extends AsyncIterable<Row> {
  readonly columns: readonly string[];
  /** Known after the last row. @throws AssertionError  before */
  readonly counts: Readonly<UpdateCounts>;
  readonly plan: PlanDescription | undefined;
  /** Gives the statement up where no loop is left. Harmless after the last row. */
  close(): void;
}

/** A statement that is running, with its rows in whole batches or one by one. */
export class RunningQuery implements RowStream {
  readonly columns: readonly string[];
  readonly #result: StatementResult;
  readonly #tokens: TokenTables;
  readonly #ended: (complete: boolean) => Promise<void>;
  #isOver = false;

  /** @param ended  called once, with whether all rows were read */
  constructor(result: StatementResult, tokens: TokenTables, ended: (complete: boolean) => Promise<void>) {
    this.columns = result.columns;
    this.#result = result;
    this.#tokens = tokens;
    this.#ended = ended;
  }

  get counts(): Readonly<UpdateCounts> {
    return this.#result.summary.counts;
  }

  get plan(): PlanDescription | undefined {
    return this.#result.summary.plan;
  }

  close(): void {
    void this.#end(false);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, void> {
    for await (const batch of this.#batches()) {
      yield* batch;
    }
  }

  /** All at once: a turn of the event loop for each batch, not for each row. */
  async readToEnd(): Promise<QueryResult> {
    const rows: Row[] = [];
    for await (const batch of this.#batches()) {
      for (const row of batch) {
        rows.push(row);
      }
    }
    return { columns: this.columns, rows, counts: this.counts, plan: this.plan };
  }

  async *#batches(): AsyncGenerator<readonly Row[], void, void> {
    let complete = false;
    try {
      const graph = { view: this.#result.view, tokens: this.#tokens };
      const toRow = rowMaker(this.columns, graph);
      for await (const batch of this.#result.rows) {
        yield batch.map(toRow);
      }
      complete = true;
    } finally {
      await this.#end(complete);
    }
  }

  async #end(complete: boolean): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#result.close();
      await this.#ended(complete);
    }
  }
}

function rowMaker(columns: readonly string[], graph: GraphAccess): (values: readonly Value[]) => Row {
  // As a property that is assigned this name would set what the object inherits from.
  if (columns.includes("__proto__")) {
    return (values) =>
      Object.fromEntries(columns.map((column, index) => [column, fromEngine(values[index] ?? null, graph)]));
  }
  return (values) => {
    const row: Record<string, GraphValue> = {};
    for (let index = 0; index < columns.length; index++) {
      row[columns[index] as string] = fromEngine(values[index] ?? null, graph);
    }
    return row;
  };
}
