import { type Tokens } from "../tables/token-table.ts";
import { type CommitHistory } from "../serializability/commit-history.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { type IdLimits } from "../view/graph-view.ts";
import { type IdAllocator } from "./id-allocator.ts";
import { type WriteMemory } from "./write-memory.ts";
import { type WriteSet } from "./write-set.ts";
import { type LockTable } from "./lock-table.ts";
import { type GraphTransaction } from "./graph-transaction.ts";

/** The parts of a store that its transactions work on. */
export interface StoreCore {
  readonly tokens: Tokens;
  readonly versions: VersionStore;
  readonly locks: LockTable;
  readonly history: CommitHistory;
  readonly memory: WriteMemory;
  readonly nodeIds: IdAllocator;
  readonly relationshipIds: IdAllocator;
  /** Of all ids that were ever given out. */
  readonly limits: IdLimits;
  readonly connectedNodeCode: ConnectedNodeCode;
  readonly openTransactions: Set<GraphTransaction>;
  /**
   * Resolves once the changes are on disk and visible; nothing of them is when it rejects. Without a promise where they
   * are when it returns.
   */
  persist(changes: WriteSet): Promise<void> | undefined;
}

/** The status code of a commit that would leave relationships without a node; 2.3 servers answer with the second. */
export type ConnectedNodeCode = "ClientError.Schema.ConstraintViolation" | "DatabaseError.Transaction.CouldNotCommit";
