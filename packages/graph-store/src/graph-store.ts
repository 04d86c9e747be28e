import { type Clock } from "@trefoil/base";
import { type BackupReport } from "./backup/backup-manifest.ts";
import { type ImportOptions, type ImportReport } from "./import/import-csv.ts";
import { DirectoryFiles, type StoreFiles } from "./log/store-files.ts";
import { LegacyIndexes } from "./indexes/legacy/legacy-indexes.ts";
import { type ReadView, type TokenTables } from "./read-view.ts";
import { Schema } from "./schema/schema.ts";
import { type SharedGraph, TakenOver } from "./sharing/shared-graph.ts";
import { GraphBase } from "./tables/graph-base.ts";
import { Tokens } from "./tables/token-table.ts";
import { recoverStore } from "./recovery/recover.ts";
import { Store } from "./store.ts";
import { type ConnectedNodeCode } from "./transactions/store-core.ts";
import { type StoreStatistics } from "./transactions/store-statistics.ts";
import { type Isolation, type Transaction } from "./transactions/transaction.ts";

export interface GraphStoreOptions {
  /** The folder of the store, made when it is missing; without one the graph lives in memory only. */
  readonly directory?: string | undefined;
  readonly clock: Clock;
  /** How long a transaction waits for a lock; 0 for as long as its own life. 30,000 when not said. */
  readonly lockTimeoutMs?: number | undefined;
  /** What one transaction may write before it is committed, about; a third of the heap when not said or 0. */
  readonly transactionMemoryBytes?: number | undefined;
  /** What a commit is answered with that would leave relationships without a node. */
  readonly connectedNodeCode?: ConnectedNodeCode | undefined;
  /** How much log makes a checkpoint due; 64 MiB when not said. */
  readonly checkpointLogBytes?: number | undefined;
  /** Told of what went wrong behind the scenes: a checkpoint that could not be written (the log keeps everything). */
  readonly onWarning?: ((message: string, cause: unknown) => void) | undefined;
}

/** A property graph with transactions. */
export interface GraphStore {
  readonly tokens: TokenTables;
  readonly statistics: StoreStatistics;
  /** As last committed. */
  readonly schema: Schema;
  /** Another number after every change of the schema: what was planned before is to be planned again. */
  readonly schemaVersion: number;
  /** @param options  `isolation`: "read-committed" when not said */
  begin(options?: { readonly isolation?: Isolation | undefined }): Transaction;
  /**
   * The state that `view` sees, for other threads to read while the view is open: {@link openSharedGraph}. `undefined`
   * while it is not the base alone, because of newer commits or the transaction's own writes.
   */
  share(view: ReadView): SharedGraph | undefined;
  /** The same where it was shared already: costs nothing. */
  findShared(view: ReadView): SharedGraph | undefined;
  /**
   * Relationships of a store that was opened are read when they are first asked for, which takes long for millions of
   * them. Who is about to ask waits for this, so that nobody else waits as well; `undefined` when they are there.
   */
  readRelationships(): Promise<void> | undefined;
  /** Writes all that is committed in columnar form, so that the next start need not read the log. Others go on meanwhile. */
  checkpoint(): Promise<void>;
  /**
   * Reads CSV files into the store, all or nothing: after an error, or a crash, the store is as it was before. Until it
   * is done no transaction can begin.
   *
   * @throws ImportError  naming file, line, column and value
   * @throws StoreConflictError  while transactions are open
   */
  importCsv(options: ImportOptions): Promise<ImportReport>;
  /**
   * Looks at every structure in memory, at the indexes and at the files, while others go on; what does not fit together
   * is told, a line each.
   */
  check(): Promise<readonly string[]>;
  /**
   * Copies the newest checkpoint and the log after it to a folder that is empty or not there, while others go on: all
   * that was committed when it began, and a history back to the checkpoint.
   *
   * @throws StoreError  for a graph in memory and a folder with something in it
   */
  backup(directory: string): Promise<BackupReport>;
  /** Rolls back what is open, finishes what is being committed and closes the files. */
  close(): Promise<void>;
}

/**
 * Opens the store in `directory` (made and filled when empty), or one in memory. One process per folder: the caller
 * holds the lock on it.
 *
 * @throws StartError  kind "store": files of another version or product (graph §1)
 * @throws StoreCorruptionError  files that no crash of ours leaves behind
 */
export function openGraphStore(options: GraphStoreOptions): Promise<GraphStore> {
  return openStore(options, options.directory === undefined ? undefined : new DirectoryFiles(options.directory));
}

/**
 * A store over the arrays of another thread's, to read from: what is written here is lost. Its indexes are filled when
 * they are first asked; indexes of words it has none.
 */
export function openSharedGraph(graph: SharedGraph, clock: Clock): GraphStore {
  const tokens = new Tokens();
  tokens.restore(graph.tokens);
  const base = new GraphBase(new TakenOver(graph));
  const { indexEntries } = graph;
  const schema = Schema.restore(graph.schema);
  return new Store({ clock }, { base, tokens, schema, legacy: new LegacyIndexes(), epoch: 0, indexEntries });
}

/** The same on any files: tests bring ones that lose what was not synced, or are full. */
export async function openStore(options: GraphStoreOptions, files: StoreFiles | undefined): Promise<Store> {
  const recovered = files === undefined ? undefined : { files, ...(await recoverStore(files)) };
  return new Store(options, recovered, recovered);
}
