import { type Clock } from "@trefoil/base";
import { Checkpointer } from "./checkpoint/checkpointer.ts";
import { StoreError } from "./errors.ts";
import { encodeChanges } from "./log/commit-encoding.ts";
import { CommitLog } from "./log/commit-log.ts";
import { DirectoryFiles, type StoreFiles } from "./log/store-files.ts";
import { type TokenTables } from "./read-view.ts";
import { recoverStore, type RecoveredStore } from "./recovery/recover.ts";
import { GraphBase } from "./tables/graph-base.ts";
import { Tokens } from "./tables/token-table.ts";
import { GraphTransaction } from "./transactions/graph-transaction.ts";
import { IdAllocator } from "./transactions/id-allocator.ts";
import { LockTable } from "./transactions/lock-table.ts";
import { type ConnectedNodeCode, type StoreCore } from "./transactions/store-core.ts";
import { BaseStatistics, type StoreStatistics } from "./transactions/store-statistics.ts";
import { type Isolation, type Transaction } from "./transactions/transaction.ts";
import { type ChangeSet } from "./versions/changes.ts";
import { VersionStore } from "./versions/version-store.ts";

export interface GraphStoreOptions {
  /** The folder of the store, made when it is missing; without one the graph lives in memory only. */
  readonly directory?: string | undefined;
  readonly clock: Clock;
  /** How long a transaction waits for a lock; 0 for as long as its own life. 30,000 when not said. */
  readonly lockTimeoutMs?: number | undefined;
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
  /**
   * @param options  `isolation`: "read-committed" when not said
   * @throws StoreError  for "serializable", which this store does not offer yet
   */
  begin(options?: { readonly isolation?: Isolation | undefined }): Transaction;
  /** Writes all that is committed in columnar form, so that the next start need not read the log. Others go on meanwhile. */
  checkpoint(): Promise<void>;
  /** Rolls back what is open, finishes what is being committed and closes the files. */
  close(): Promise<void>;
}

const DEFAULT_LOCK_TIMEOUT_MS = 30_000;
const DEFAULT_CHECKPOINT_LOG_BYTES = 64 * 2 ** 20;
/** A log shorter than this is read in no time at the next start. */
const CHECKPOINT_AT_CLOSE_BYTES = 4 * 2 ** 20;

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

/** The same on any files: tests bring ones that lose what was not synced, or are full. */
export async function openStore(options: GraphStoreOptions, files: StoreFiles | undefined): Promise<Store> {
  return files === undefined ? new Store(options) : new Store(options, { files, ...(await recoverStore(files)) });
}

export class Store implements GraphStore, StoreCore {
  readonly tokens: Tokens;
  readonly versions: VersionStore;
  readonly locks: LockTable;
  readonly nodeIds: IdAllocator;
  readonly relationshipIds: IdAllocator;
  readonly connectedNodeCode: ConnectedNodeCode;
  readonly openTransactions: Set<GraphTransaction> = new Set();
  readonly statistics: StoreStatistics;
  readonly #log: CommitLog | undefined;
  readonly #checkpointer: Checkpointer | undefined;
  readonly #checkpointLogBytes: number;
  readonly #onWarning: (message: string, cause: unknown) => void;
  #nextCheckpointBytes: number;
  #transactionsBegun = 0;
  #closed = false;

  constructor(options: GraphStoreOptions, recovered?: RecoveredStore & { readonly files: StoreFiles }) {
    const base = recovered?.base ?? new GraphBase();
    this.tokens = recovered?.tokens ?? new Tokens();
    this.versions = new VersionStore(base, recovered?.epoch ?? 0, (changes) => this.#freeIds(changes));
    this.locks = new LockTable(options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS);
    this.nodeIds = new IdAllocator(base.nodes.idLimit, base.nodes.freeIds());
    this.relationshipIds = new IdAllocator(base.relationships.idLimit, base.relationships.freeIds());
    this.connectedNodeCode = options.connectedNodeCode ?? "ClientError.Schema.ConstraintViolation";
    this.statistics = new BaseStatistics(base);
    this.#checkpointLogBytes = options.checkpointLogBytes ?? DEFAULT_CHECKPOINT_LOG_BYTES;
    this.#nextCheckpointBytes = this.#checkpointLogBytes;
    this.#onWarning = options.onWarning ?? (() => undefined);
    if (recovered !== undefined) {
      const { files, storeId, log } = recovered;
      this.#log = new CommitLog(files, storeId, this.tokens, log);
      this.#checkpointer = new Checkpointer(files, storeId, this.versions, this.tokens, this.#log);
    }
  }

  begin(options: { readonly isolation?: Isolation | undefined } = {}): Transaction {
    if (this.#closed) {
      throw new StoreError("DatabaseError.Transaction.CouldNotBegin", "The store is closed.");
    }
    const isolation = options.isolation ?? "read-committed";
    if (isolation === "serializable") {
      throw new StoreError(
        "ClientError.Transaction.InvalidType",
        "Isolation level serializable is not offered yet; snapshot and read-committed are.",
      );
    }
    this.#transactionsBegun += 1;
    return new GraphTransaction(this, this.#transactionsBegun, isolation);
  }

  async persist(changes: ChangeSet): Promise<void> {
    if (this.#log === undefined) {
      this.versions.publish(changes);
      return;
    }
    await this.#log.append(encodeChanges(changes), () => this.versions.publish(changes));
    this.#checkpointWhenDue(this.#log);
  }

  async checkpoint(): Promise<void> {
    await this.#checkpointer?.run();
  }

  async close(): Promise<void> {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    for (const transaction of this.openTransactions) {
      transaction.rollback();
    }
    if ((this.#log?.bytesSinceRotation ?? 0) > CHECKPOINT_AT_CLOSE_BYTES) {
      await this.#checkpointOrWarn();
    }
    await this.#checkpointer?.idle();
    await this.#log?.close();
  }

  #checkpointWhenDue(log: CommitLog): void {
    if (log.bytesSinceRotation >= this.#nextCheckpointBytes && !this.#closed) {
      // A checkpoint that fails is tried again only when as much log has come again.
      this.#nextCheckpointBytes = log.bytesSinceRotation + this.#checkpointLogBytes;
      void this.#checkpointOrWarn();
    }
  }

  async #checkpointOrWarn(): Promise<void> {
    try {
      await this.checkpoint();
      this.#nextCheckpointBytes = this.#checkpointLogBytes;
    } catch (cause) {
      this.#onWarning("A checkpoint of the graph could not be written; the log keeps everything.", cause);
    }
  }

  #freeIds(changes: ChangeSet): void {
    for (const change of changes.nodes.values()) {
      if (change.deleted) {
        this.nodeIds.free(change.node);
      }
    }
    for (const change of changes.relationships.values()) {
      if (change.deleted) {
        this.relationshipIds.free(change.relationship);
      }
    }
  }
}
