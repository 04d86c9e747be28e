import { type Clock } from "@trefoil/base";
import { copyStore } from "./backup/copy-store.ts";
import { type BackupReport } from "./backup/backup-manifest.ts";
import { checkBase } from "./check/check-base.ts";
import { checkFiles } from "./check/check-files.ts";
import { checkIndexes } from "./check/check-indexes.ts";
import { Checkpointer } from "./checkpoint/checkpointer.ts";
import { StoreConflictError, StoreError } from "./errors.ts";
import { type GraphStore, type GraphStoreOptions } from "./graph-store.ts";
import { importCsv, type ImportOptions, type ImportReport } from "./import/import-csv.ts";
import { encodeChanges, tokenMarks } from "./log/commit-encoding.ts";
import { CommitLog } from "./log/commit-log.ts";
import { DirectoryFiles, type StoreFiles } from "./log/store-files.ts";
import { LegacyIndexes } from "./indexes/legacy/legacy-indexes.ts";
import { Catalog } from "./indexes/catalog.ts";
import { buildIndexes, buildIndexesLater } from "./indexes/build-indexes.ts";
import { MemorySections } from "./memory/memory-sections.ts";
import { freeReplaced } from "./memory/shared-array.ts";
import { type ReadView } from "./read-view.ts";
import { type RecoveredGraph, recoverStore, type RecoveredStore } from "./recovery/recover.ts";
import { Schema } from "./schema/schema.ts";
import { CommitHistory } from "./serializability/commit-history.ts";
import { GraphBase } from "./tables/graph-base.ts";
import { Tokens } from "./tables/token-table.ts";
import { checkAllExistence } from "./transactions/existence.ts";
import { GraphTransaction } from "./transactions/graph-transaction.ts";
import { IdAllocator } from "./transactions/id-allocator.ts";
import { LockTable } from "./transactions/lock-table.ts";
import { type ConnectedNodeCode, type StoreCore } from "./transactions/store-core.ts";
import { BaseStatistics, type StoreStatistics } from "./transactions/store-statistics.ts";
import { type Isolation, type Transaction } from "./transactions/transaction.ts";
import { WriteMemory } from "./transactions/write-memory.ts";
import { type WriteSet } from "./transactions/write-set.ts";
import { VersionStore } from "./versions/version-store.ts";
import { shareGraph, type SharedGraph } from "./sharing/shared-graph.ts";
import { committedView } from "./view/committed-view.ts";
import { GraphView, type IdLimits } from "./view/graph-view.ts";

const DEFAULT_LOCK_TIMEOUT_MS = 30_000;
const DEFAULT_CHECKPOINT_LOG_BYTES = 64 * 2 ** 20;
/** A log shorter than this is read in no time at the next start. */
const CHECKPOINT_AT_CLOSE_BYTES = 4 * 2 ** 20;

/** What a failed import replaces: everything that follows from the base. */
interface Graph {
  readonly versions: VersionStore;
  readonly nodeIds: IdAllocator;
  readonly relationshipIds: IdAllocator;
}

/** Where a store is kept. */
interface Disk {
  readonly files: StoreFiles;
  readonly log: CommitLog;
  readonly checkpointer: Checkpointer;
}

/** See {@link GraphStore}: puts versions, locks, ids, log and checkpoints together. */
export class Store implements GraphStore, StoreCore {
  readonly tokens: Tokens;
  readonly locks: LockTable;
  readonly history: CommitHistory = new CommitHistory();
  readonly memory: WriteMemory;
  readonly limits: IdLimits;
  readonly connectedNodeCode: ConnectedNodeCode;
  readonly openTransactions: Set<GraphTransaction> = new Set();
  readonly statistics: StoreStatistics = new BaseStatistics(this);
  readonly #clock: Clock;
  readonly #checkpointLogBytes: number;
  readonly #onWarning: (message: string, cause: unknown) => void;
  #graph: Graph;
  #disk: Disk | undefined;
  #nextCheckpointBytes: number;
  #transactionsBegun = 0;
  /** What was last handed to other threads, and of which state. */
  #shared: { readonly base: GraphBase; readonly epoch: number; readonly graph: SharedGraph } | undefined;
  #sharedStates = 0;
  /** Schema versions of graphs that an import has replaced. */
  #schemasBefore = 0;
  #state: "open" | "importing" | "closed" = "open";

  /**
   * @param recovered  what the store begins with; empty when not said
   * @param disk       where it is kept; in memory only when not said
   */
  constructor(
    options: GraphStoreOptions,
    recovered?: RecoveredGraph,
    disk?: RecoveredStore & { readonly files: StoreFiles },
  ) {
    this.tokens = recovered?.tokens ?? new Tokens();
    this.#graph = this.#graphOn(
      recovered?.base ?? new GraphBase(),
      recovered?.epoch ?? 0,
      recovered?.schema ?? Schema.empty,
      recovered?.legacy ?? new LegacyIndexes(),
      recovered?.indexEntries,
    );
    this.#disk = disk === undefined ? undefined : this.#diskOn(disk.files, disk);
    // An import may replace what gives out ids.
    const graph = (): Graph => this.#graph;
    this.limits = {
      get nodes() {
        return graph().nodeIds.limit;
      },
      get relationships() {
        return graph().relationshipIds.limit;
      },
    };
    this.locks = new LockTable(options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS);
    this.memory = new WriteMemory(options.transactionMemoryBytes ?? 0);
    this.connectedNodeCode = options.connectedNodeCode ?? "ClientError.Schema.ConstraintViolation";
    this.#clock = options.clock;
    this.#checkpointLogBytes = options.checkpointLogBytes ?? DEFAULT_CHECKPOINT_LOG_BYTES;
    this.#nextCheckpointBytes = this.#checkpointLogBytes;
    this.#onWarning = options.onWarning ?? ((): void => undefined);
  }

  get versions(): VersionStore {
    return this.#graph.versions;
  }

  get schema(): Schema {
    return this.versions.catalog.schema;
  }

  get schemaVersion(): number {
    return this.#schemasBefore + this.versions.catalog.version;
  }

  get base(): GraphBase {
    return this.#graph.versions.base;
  }

  get nodeIds(): IdAllocator {
    return this.#graph.nodeIds;
  }

  get relationshipIds(): IdAllocator {
    return this.#graph.relationshipIds;
  }

  begin(options: { readonly isolation?: Isolation | undefined } = {}): Transaction {
    if (this.#state === "closed") {
      throw new StoreError("DatabaseError.Transaction.CouldNotBegin", "The store is closed.");
    }
    if (this.#state === "importing") {
      throw unavailable("Data is being imported: no transaction can begin until that is done.");
    }
    this.#transactionsBegun += 1;
    return new GraphTransaction(this, this.#transactionsBegun, options.isolation ?? "read-committed");
  }

  persist(changes: WriteSet): Promise<void> | undefined {
    const disk = this.#disk;
    if (disk === undefined) {
      this.#publish(changes);
      return undefined;
    }
    const record = encodeChanges(changes, this.#clock.now());
    // From here on whoever commits comes after these changes, although they are not visible yet.
    this.history.begin(changes);
    const appended = disk.log.append(record, () => this.#publish(changes));
    if (appended !== undefined) {
      return this.#afterAppend(appended, changes, disk.log);
    }
    this.#checkpointWhenDue(disk.log);
    return undefined;
  }

  async #afterAppend(appended: Promise<void>, changes: WriteSet, log: CommitLog): Promise<void> {
    try {
      await appended;
    } catch (error) {
      this.history.failed(changes);
      throw error;
    }
    this.#checkpointWhenDue(log);
  }

  #publish(changes: WriteSet): void {
    this.versions.publish(changes);
    this.versions.catalog.apply(changes.schema, changes.built);
    this.versions.catalog.legacy.apply(changes);
    this.history.published(changes, this.versions.epoch);
  }

  share(view: ReadView): SharedGraph | undefined {
    const { base, versions } = this;
    if (!(view instanceof GraphView) || !view.clean || view.base !== base) {
      return undefined;
    }
    const known = this.findShared(view);
    if (known !== undefined) {
      return known;
    }
    this.#sharedStates += 1;
    const graph = shareGraph(this.#sharedStates, base, this.tokens, versions.catalog);
    this.#shared = { base, epoch: versions.baseEpoch, graph };
    return graph;
  }

  findShared(view: ReadView): SharedGraph | undefined {
    const isOfNow = this.#shared?.base === view.base && this.#shared.epoch === this.versions.baseEpoch;
    return isOfNow && view.clean ? this.#shared?.graph : undefined;
  }

  readRelationships(): Promise<void> | undefined {
    return this.versions.readRelationships();
  }

  async checkpoint(): Promise<void> {
    await this.#disk?.checkpointer.run();
  }

  async check(): Promise<readonly string[]> {
    await this.readRelationships();
    const pinned = this.versions.pinnedNewest();
    try {
      return [
        ...(await checkBase(this.base)),
        ...checkIndexes(this.versions, this.tokens),
        ...(this.#disk === undefined ? [] : await checkFiles(this.#disk.files, this.#disk.log)),
      ];
    } finally {
      pinned.release();
    }
  }

  async backup(directory: string): Promise<BackupReport> {
    const disk = this.#disk;
    if (disk === undefined) {
      throw new StoreError("ClientError.Statement.InvalidArguments", "A graph in memory has no files to back up.");
    }
    const target = new DirectoryFiles(directory);
    return disk.checkpointer.alone(() => copyStore(disk.files, disk.log, target, this.#clock.now()));
  }

  async importCsv(options: ImportOptions): Promise<ImportReport> {
    if (this.#state !== "open" || this.openTransactions.size > 0) {
      throw unavailable("Data can only be imported while no transaction is open.");
    }
    this.#state = "importing";
    try {
      await this.#disk?.checkpointer.idle();
      await this.readRelationships();
      return await this.#importOrRestore(options);
    } finally {
      this.#state = "open";
      freeReplaced();
    }
  }

  async close(): Promise<void> {
    if (this.#state === "closed") {
      return;
    }
    this.#state = "closed";
    for (const transaction of this.openTransactions) {
      transaction.terminate(unavailable("The store was closed."));
      transaction.rollback();
    }
    if (this.#disk !== undefined) {
      if (this.#disk.log.bytesSinceRotation > CHECKPOINT_AT_CLOSE_BYTES) {
        await this.#checkpointOrWarn();
      }
      await this.#disk.checkpointer.idle();
      await this.#disk.log.close();
    }
  }

  async #importOrRestore(options: ImportOptions): Promise<ImportReport> {
    // In memory there is nothing else to go back to.
    const before = this.#disk === undefined ? MemorySections.of(this.base) : undefined;
    const epoch = this.versions.epoch;
    const { schema } = this;
    const { legacy } = this.versions.catalog;
    this.#schemasBefore = this.schemaVersion + 1;
    try {
      const target = { ...this.#graph, base: this.base, tokens: this.tokens };
      const report = await importCsv(target, options);
      this.versions.countImport();
      buildIndexes(this.versions.catalog, this.tokens, this.versions, true);
      checkAllExistence(this.versions, this.tokens);
      if (this.#disk !== undefined) {
        await this.#disk.checkpointer.keepImport();
        await this.#reopen(this.#disk);
      }
      return report;
    } catch (error) {
      if (this.#disk === undefined) {
        this.#graph = this.#graphOn(new GraphBase(before), epoch, schema, legacy);
      } else {
        await this.#reopen(this.#disk);
      }
      throw error;
    }
  }

  /** Begins anew with what the files have: after an import that is as much, without room in arrays, or what was before it. */
  async #reopen({ files, log }: Disk): Promise<void> {
    await log.close();
    const recovered = await recoverStore(files);
    this.#graph = this.#graphOn(recovered.base, recovered.epoch, recovered.schema, recovered.legacy);
    this.#disk = this.#diskOn(files, recovered);
  }

  #graphOn(
    base: GraphBase,
    epoch: number,
    schema: Schema,
    legacy: LegacyIndexes,
    indexEntries?: RecoveredGraph["indexEntries"],
  ): Graph {
    const { nodes, relationshipCounts } = base;
    // Relationships that are all there need not be read for it, nor nodes be looked through.
    const nodeIds = new IdAllocator(nodes.idLimit, nodes.count === nodes.idLimit ? [] : nodes.freeIds());
    const { count, idLimit } = relationshipCounts;
    const relationshipIds = new IdAllocator(idLimit, count === idLimit ? [] : base.relationships.freeIds());
    const versions = new VersionStore(base, epoch, new Catalog(schema, legacy), committedView, (changes) => {
      freeDeleted(nodeIds, changes.nodes);
      freeDeleted(relationshipIds, changes.relationships);
    });
    if (indexEntries === undefined) {
      buildIndexes(versions.catalog, this.tokens, versions);
    } else {
      buildIndexesLater(versions.catalog, this.tokens, versions, indexEntries);
    }
    return { versions, nodeIds, relationshipIds };
  }

  #diskOn(files: StoreFiles, recovered: RecoveredStore): Disk {
    const { storeId, log: position, tokens } = recovered;
    const log = new CommitLog(files, storeId, this.tokens, position, tokenMarks(tokens), {
      openTransactions: () => this.openTransactions.size,
      transactionsBegun: () => this.#transactionsBegun,
    });
    const checkpointer = new Checkpointer(files, storeId, this.versions, this.tokens, log);
    return { files, log, checkpointer };
  }

  #checkpointWhenDue(log: CommitLog): void {
    if (log.bytesSinceRotation >= this.#nextCheckpointBytes && this.#state === "open") {
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
}

function freeDeleted(ids: IdAllocator, changes: ReadonlyMap<number, { readonly deleted: boolean }>): void {
  changes.forEach((change, id) => {
    if (change.deleted) {
      ids.free(id);
    }
  });
}

function unavailable(message: string): StoreConflictError {
  return new StoreConflictError("TransientError.General.DatabaseUnavailable", message);
}
