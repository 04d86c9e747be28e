import { type PlanDescription, type StatementResult } from "@trefoil/graph-engine";
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

/** @param ended  called once, with whether all rows were read */
export function rowStream(
  result: StatementResult,
  tokens: TokenTables,
  ended: (complete: boolean) => Promise<void>,
): RowStream {
  const { columns } = result;
  let isOver = false;
  const end = async (complete: boolean): Promise<void> => {
    if (!isOver) {
      isOver = true;
      result.close();
      await ended(complete);
    }
  };
  async function* rows(): AsyncGenerator<Row, void, void> {
    let complete = false;
    try {
      const graph = { view: result.view, tokens };
      for await (const batch of result.rows) {
        for (const values of batch) {
          const row: Record<string, GraphValue> = {};
          for (const [index, column] of columns.entries()) {
            defineColumn(row, column, fromEngine(values[index] ?? null, graph));
          }
          yield row;
        }
      }
      complete = true;
    } finally {
      await end(complete);
    }
  }
  return {
    columns,
    get counts() {
      return result.summary.counts;
    },
    get plan() {
      return result.summary.plan;
    },
    close: () => {
      void end(false);
    },
    [Symbol.asyncIterator]: rows,
  };
}

/** A column may have any name: this one would set what the object inherits from. */
function defineColumn(row: Record<string, GraphValue>, column: string, value: GraphValue): void {
  if (column === "__proto__") {
    Object.defineProperty(row, column, { value, enumerable: true });
  } else {
    row[column] = value;
  }
}
