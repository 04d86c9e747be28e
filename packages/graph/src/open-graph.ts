import { assert, RetryableError, systemClock } from "@trefoil/base";
import { createEngine, type Mode } from "@trefoil/graph-engine";
import {
  type BackupReport,
  type GraphStore,
  type ImportOptions,
  type ImportReport,
  type Isolation,
  ISOLATIONS,
  openGraphStore,
} from "@trefoil/graph-store";
import { type DirectoryLock, lockDirectory } from "@trefoil/installation";
import { type Definitions, functionsOf, type Procedure, proceduresOf, type ScalarFunction } from "./extensions.ts";
import {
  type GraphTransaction,
  OpenTransaction,
  type StatementOptions,
  type StatementRunner,
  type TransactionServices,
} from "./graph-transaction.ts";
import { type QueryResult, type RowStream, type RunningQuery } from "./result.ts";
import { type GraphParameters } from "./values/graph-value.ts";

export interface GraphOptions {
  /** Of transactions that do not say; `read-committed` when not said. */
  readonly isolation?: Isolation | undefined;
  /** The language of statements without a prefix; `modern` when not said. */
  readonly mode?: Mode | undefined;
  /** Of statements that do not say; no limit when not said. */
  readonly statementTimeoutMs?: number | undefined;
  /** How long a transaction waits for another one's lock; 30,000 when not said. */
  readonly lockTimeoutMs?: number | undefined;
  /** What one statement may keep in memory, about; a third of the heap when not said. */
  readonly statementMemoryBytes?: number | undefined;
  /** What one transaction may write, about; a third of the heap when not said. */
  readonly transactionMemoryBytes?: number | undefined;
  /** The folder that `LOAD CSV FROM "file:…"` reads below; without one it reads nothing. */
  readonly loadCsvDirectory?: string | undefined;
  /** Told of what went wrong behind the scenes: a checkpoint that could not be written. */
  readonly onWarning?: ((message: string, cause: unknown) => void) | undefined;
}

export interface TransactionOptions {
  readonly isolation?: Isolation | undefined;
}

export interface WorkOptions extends TransactionOptions {
  /** How often the work is done at most, when another transaction was in the way; once when not said. */
  readonly attempts?: number | undefined;
}

/** A property graph in this process. */
export interface Graph extends StatementRunner {
  /** What `CALL` can call besides what is built in. */
  readonly procedures: Definitions<Procedure>;
  /** What expressions can call besides what is built in. */
  readonly functions: Definitions<ScalarFunction>;
  /** To be ended by its commit or rollback. */
  begin(options?: TransactionOptions): GraphTransaction;
  /** Does `work` in a transaction: commits when it is done, rolls back when it throws. */
  transaction<Result>(work: (transaction: StatementRunner) => Promise<Result>, options?: WorkOptions): Promise<Result>;
  /** Fills the graph from CSV files, all or nothing, faster than any statement; no transaction may be open. */
  importCsv(options: ImportOptions): Promise<ImportReport>;
  /** Writes all that is committed in the form that the next start reads fastest. It happens by itself, too. */
  checkpoint(): Promise<void>;
  /** Copies the graph to an empty folder while others go on. */
  backup(directory: string): Promise<BackupReport>;
  /** Looks at every structure; a line for each thing that does not fit together. */
  check(): Promise<readonly string[]>;
  /** Rolls back what is open, finishes what is being committed, and gives the folder back. */
  close(): Promise<void>;
}

/** What embedded databases call a database without files. */
const IN_MEMORY = ":memory:";

/**
 * Opens the graph in a folder, made when it is missing, or an empty one in memory: without a folder, or with the name
 * that other embedded databases have for it, `:memory:`. The folder is this process's until {@link Graph.close}.
 *
 * @throws StartError  kind "lock" when another process has it, "store" for files of another version or product
 */
export async function openGraph(folder?: string, options: GraphOptions = {}): Promise<Graph> {
  const directory = folder === IN_MEMORY ? undefined : folder;
  const lock = directory === undefined ? undefined : await lockDirectory(directory, "graph");
  try {
    const { lockTimeoutMs, transactionMemoryBytes, onWarning } = options;
    const clock = systemClock;
    const store = await openGraphStore({ directory, clock, lockTimeoutMs, transactionMemoryBytes, onWarning });
    return new OpenedGraph(store, lock, options);
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

class OpenedGraph implements Graph {
  readonly procedures: Definitions<Procedure>;
  readonly functions: Definitions<ScalarFunction>;
  readonly #store: GraphStore;
  readonly #lock: DirectoryLock | undefined;
  readonly #isolation: Isolation | undefined;
  readonly #services: TransactionServices;

  constructor(store: GraphStore, lock: DirectoryLock | undefined, options: GraphOptions) {
    const { mode, loadCsvDirectory, statementMemoryBytes } = options;
    const engine = createEngine({
      store,
      clock: systemClock,
      mode,
      loadCsv: loadCsvDirectory === undefined ? undefined : { urls: "root", root: loadCsvDirectory },
      limits: { statementMemoryBytes },
    });
    this.#store = store;
    this.#lock = lock;
    this.#isolation = options.isolation;
    this.#services = { engine, tokens: store.tokens, timeoutMs: options.statementTimeoutMs };
    this.procedures = proceduresOf(this.#services);
    this.functions = functionsOf(engine);
  }

  async query(text: string, parameters?: GraphParameters, options?: StatementOptions): Promise<QueryResult> {
    return (await this.#run(text, parameters, options)).readToEnd();
  }

  stream(text: string, parameters?: GraphParameters, options?: StatementOptions): Promise<RowStream> {
    return this.#run(text, parameters, options);
  }

  begin(options: TransactionOptions = {}): GraphTransaction {
    return new OpenTransaction(this.#begin(options.isolation ?? this.#isolation), this.#services);
  }

  async transaction<Result>(
    work: (transaction: StatementRunner) => Promise<Result>,
    options: WorkOptions = {},
  ): Promise<Result> {
    const { attempts = 1 } = options;
    assert(attempts >= 1, "work is attempted at least once");
    for (let attempt = 1; ; attempt++) {
      const transaction = this.begin(options);
      try {
        const result = await work(transaction);
        await transaction.commit();
        return result;
      } catch (error) {
        if (!(error instanceof RetryableError) || attempt >= attempts) {
          throw error;
        }
      } finally {
        transaction.rollback();
      }
    }
  }

  importCsv(options: ImportOptions): Promise<ImportReport> {
    return this.#store.importCsv(options);
  }

  checkpoint(): Promise<void> {
    return this.#store.checkpoint();
  }

  backup(directory: string): Promise<BackupReport> {
    return this.#store.backup(directory);
  }

  check(): Promise<readonly string[]> {
    return this.#store.check();
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#lock?.release();
  }

  /** The statement's own transaction ends with its rows. */
  async #run(text: string, parameters?: GraphParameters, options?: StatementOptions): Promise<RunningQuery> {
    const transaction = new OpenTransaction(this.#begin(this.#isolation), this.#services, true);
    try {
      return await transaction.run(text, parameters, options, async (complete) => {
        if (complete) {
          await transaction.commit();
        } else {
          transaction.rollback();
        }
      });
    } catch (error) {
      transaction.rollback();
      throw error;
    }
  }

  #begin(isolation: Isolation | undefined): ReturnType<GraphStore["begin"]> {
    if (isolation !== undefined && !ISOLATIONS.includes(isolation)) {
      throw new TypeError(`the isolation ${String(isolation)}: known are ${ISOLATIONS.join(", ")}`);
    }
    return this.#store.begin({ isolation });
  }
}
