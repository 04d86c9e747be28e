import { type Clock } from "@trefoil/base";
import { StoreError } from "./errors.ts";
import { type TokenTables } from "./read-view.ts";
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
  /** Rolls back what is open and writes what is left to write. */
  close(): Promise<void>;
}

const DEFAULT_LOCK_TIMEOUT_MS = 30_000;

/** Opens the store in `directory` (made and filled when empty), or one in memory. */
export async function openGraphStore(options: GraphStoreOptions): Promise<GraphStore> {
  await Promise.resolve();
  return new Store(options);
}

class Store implements GraphStore, StoreCore {
  readonly tokens = new Tokens();
  readonly versions: VersionStore;
  readonly locks: LockTable;
  readonly nodeIds = new IdAllocator(0, []);
  readonly relationshipIds = new IdAllocator(0, []);
  readonly connectedNodeCode: ConnectedNodeCode;
  readonly openTransactions = new Set<GraphTransaction>();
  readonly statistics: StoreStatistics;
  #transactionsBegun = 0;
  #closed = false;

  constructor(options: GraphStoreOptions) {
    const base = new GraphBase();
    this.versions = new VersionStore(base, 0, (changes) => this.#freeIds(changes));
    this.locks = new LockTable(options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS);
    this.connectedNodeCode = options.connectedNodeCode ?? "ClientError.Schema.ConstraintViolation";
    this.statistics = new BaseStatistics(base);
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
    this.versions.publish(changes);
    await Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const transaction of this.openTransactions) {
      transaction.rollback();
    }
    await Promise.resolve();
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
