import { type Engine, type Mode, type Value } from "@trefoil/graph-engine";
import { type TokenTables, type Transaction } from "@trefoil/graph-store";
import { fromExtension, toExtension } from "./extension-values.ts";

/** What a statement gave, read to its end. Values are those of extension-values.ts. */
export interface ExtensionResult {
  readonly columns: readonly string[];
  /** Values in the order of `columns`. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Runs a statement; whole numbers among the parameters are INTEGERs, as in JSON. */
export type ExtensionQuery = (
  statement: string,
  parameters?: Readonly<Record<string, unknown>>,
) => Promise<ExtensionResult>;

/** The database as extensions get it. */
export interface ExtensionDatabase {
  /** In a transaction of its own. */
  readonly query: ExtensionQuery;
  /** Commits when `work` is done, rolls back when it throws. */
  transaction<Result>(work: (transaction: { readonly query: ExtensionQuery }) => Promise<Result>): Promise<Result>;
}

export interface DatabaseServices {
  readonly store: { begin(): Transaction; readonly tokens: TokenTables };
  readonly engine: Engine;
  readonly mode: Mode;
  readonly statementTimeoutMs: number | undefined;
}

export function createExtensionDatabase(services: DatabaseServices): ExtensionDatabase {
  const transaction: ExtensionDatabase["transaction"] = async (work) => {
    const open = services.store.begin();
    try {
      const result = await work({ query: queryIn(open, services) });
      await open.commit();
      return result;
    } finally {
      if (open.state === "open") {
        open.rollback();
      }
    }
  };
  return {
    transaction,
    query: (statement, parameters) => transaction(({ query }) => query(statement, parameters)),
  };
}

/** Statements in a transaction that somebody else ends. */
export function queryIn(transaction: Transaction, services: DatabaseServices): ExtensionQuery {
  const { engine, store, mode, statementTimeoutMs } = services;
  return async (statement, parameters = {}) => {
    const values = new Map<string, Value>(
      Object.entries(parameters).map(([name, value]) => [name, fromExtension(value, "as in JSON")]),
    );
    const result = await engine.execute(transaction, statement, values, { mode, timeoutMs: statementTimeoutMs });
    try {
      const graph = { view: result.view, tokens: store.tokens };
      const rows: unknown[][] = [];
      for await (const batch of result.rows) {
        rows.push(...batch.map((row) => row.map((value) => toExtension(value, graph))));
      }
      return { columns: result.columns, rows };
    } finally {
      result.close();
    }
  };
}
