import { type Engine } from "@trefoil/graph-engine";
import { type Isolation, type TokenTables, type Transaction } from "@trefoil/graph-store";
import { type QueryResult, type RowStream, RunningQuery } from "./result.ts";
import { type GraphParameters } from "./values/graph-value.ts";
import { parametersToEngine } from "./values/to-engine.ts";

export interface StatementOptions {
  /** From the beginning of execution. */
  readonly timeoutMs?: number | undefined;
  /** Stops the statement when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** What runs statements: a graph, each in a transaction of its own, or a transaction. */
export interface StatementRunner {
  /**
   * Runs a statement to its end.
   *
   * @throws QueryError  with the `code` of the interface and, for mistakes in the text, a `position`
   */
  query(text: string, parameters?: GraphParameters, options?: StatementOptions): Promise<QueryResult>;
  /** Begins a statement and hands out its rows as they are asked for. */
  stream(text: string, parameters?: GraphParameters, options?: StatementOptions): Promise<RowStream>;
}

/**
 * Several statements that happen together or not at all. One at a time. A statement that fails leaves the transaction as
 * it was before, and usable, except after a conflict with another transaction (`RetryableError`): begin again then.
 */
export interface GraphTransaction extends StatementRunner {
  readonly isolation: Isolation;
  /** Resolves once everything is on the disk. @throws RetryableError  when another transaction was in the way */
  commit(): Promise<void>;
  /** Harmless after the end. */
  rollback(): void;
}

export interface TransactionServices {
  readonly engine: Engine;
  readonly tokens: TokenTables;
  /** Of statements that do not say. */
  readonly timeoutMs: number | undefined;
}

/** See {@link GraphTransaction}. */
export class OpenTransaction implements GraphTransaction {
  readonly #transaction: Transaction;
  readonly #services: TransactionServices;
  /** Whether statements may commit on their way (USING PERIODIC COMMIT): it was begun for one of them alone. */
  readonly #forOne: boolean;

  constructor(transaction: Transaction, services: TransactionServices, forOne = false) {
    this.#transaction = transaction;
    this.#services = services;
    this.#forOne = forOne;
  }

  get isolation(): Isolation {
    return this.#transaction.isolation;
  }

  async query(text: string, parameters?: GraphParameters, options?: StatementOptions): Promise<QueryResult> {
    return (await this.run(text, parameters, options)).readToEnd();
  }

  stream(text: string, parameters?: GraphParameters, options?: StatementOptions): Promise<RowStream> {
    return this.run(text, parameters, options);
  }

  /** @param ended  called when the rows are through or given up */
  async run(
    text: string,
    parameters: GraphParameters = {},
    options: StatementOptions = {},
    ended: (complete: boolean) => Promise<void> = () => Promise.resolve(),
  ): Promise<RunningQuery> {
    const result = await this.#services.engine.execute(this.#transaction, text, parametersToEngine(parameters), {
      timeoutMs: options.timeoutMs ?? this.#services.timeoutMs,
      signal: options.signal,
      periodicCommit: this.#forOne,
    });
    return new RunningQuery(result, this.#services.tokens, ended);
  }

  async commit(): Promise<void> {
    await this.#transaction.commit();
  }

  rollback(): void {
    this.#transaction.rollback();
  }
}
