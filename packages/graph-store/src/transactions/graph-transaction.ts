import { assert, must } from "@trefoil/base";
import { StoreConflictError, StoreError } from "../errors.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { NodeChange, type PropertyChanges, RelationshipChange } from "../versions/changes.ts";
import { GraphView, type ViewOwner } from "../view/graph-view.ts";
import { type ReadView } from "../read-view.ts";
import { type LockOwner, nodeLock, relationshipLock } from "./lock-table.ts";
import { type StoreCore } from "./store-core.ts";
import { type Isolation, type Transaction, type TransactionState, type UpdateCounts } from "./transaction.ts";
import { relationshipChangeOf, WriteSet } from "./write-set.ts";

interface Savepoint {
  readonly undoLength: number;
  readonly counts: UpdateCounts;
}

/** See {@link Transaction}. Its life: open → committing (the log has it) → committed, or rolled back from either. */
export class GraphTransaction implements Transaction, ViewOwner, LockOwner {
  readonly id: number;
  readonly isolation: Isolation;
  writes: WriteSet = new WriteSet();
  readonly counts: UpdateCounts = noCounts();
  readonly #core: StoreCore;
  /** The one epoch of all views of a snapshot transaction. */
  #snapshotEpoch: number | undefined;
  readonly #views = new Set<GraphView>();
  readonly #undo: (() => void)[] = [];
  #savepoints: Savepoint[] = [];
  #state: TransactionState | "committing" = "open";
  #terminated: Error | undefined;
  #wanted: number | undefined;

  constructor(core: StoreCore, id: number, isolation: Isolation) {
    this.id = id;
    this.isolation = isolation;
    this.#core = core;
    this.#snapshotEpoch = isolation === "snapshot" ? core.versions.epoch : undefined;
    if (this.#snapshotEpoch !== undefined) {
      core.versions.pin(this.#snapshotEpoch);
    }
    core.openTransactions.add(this);
  }

  get state(): TransactionState {
    return this.#state === "committing" ? "open" : this.#state;
  }

  get cost(): number {
    return this.writes.nodes.size + this.writes.relationships.size;
  }

  get isUntouched(): boolean {
    return this.writes.isEmpty && !this.#core.locks.holdsAny(this);
  }

  holdsNode(node: number): boolean {
    return this.#core.locks.holds(this, nodeLock(node));
  }

  holdsRelationship(relationship: number): boolean {
    return this.#core.locks.holds(this, relationshipLock(relationship));
  }

  openView(): ReadView {
    this.#checkOpen();
    const { versions } = this.#core;
    const epoch = this.#snapshotEpoch ?? versions.epoch;
    versions.pin(epoch);
    const view = new GraphView(versions, this, limitsOf(this.#core), epoch);
    this.#views.add(view);
    return view;
  }

  releaseView(view: ReadView): void {
    if (view instanceof GraphView && this.#views.delete(view)) {
      this.#core.versions.unpin(view.epoch);
    }
  }

  lockNode(node: number): boolean {
    this.#checkOpen();
    return this.#lock(nodeLock(node), () => this.#core.versions.lastChangeOfNode(node));
  }

  lockRelationship(relationship: number): boolean {
    this.#checkOpen();
    return this.#lock(relationshipLock(relationship), () => this.#core.versions.lastChangeOfRelationship(relationship));
  }

  async waitForLock(): Promise<void> {
    this.#checkOpen();
    const wanted = must(this.#wanted, "waitForLock follows a lock that was refused");
    this.#wanted = undefined;
    await this.#core.locks.wait(this, wanted);
    if (this.#terminated !== undefined) {
      throw this.#terminated;
    }
  }

  labelId(name: string): number {
    return this.#core.tokens.labels.idOf(name);
  }

  relationshipTypeId(name: string): number {
    return this.#core.tokens.relationshipTypes.idOf(name);
  }

  propertyKeyId(name: string): number {
    return this.#core.tokens.propertyKeys.idOf(name);
  }

  createNode(labels: readonly number[]): number {
    this.#checkOpen();
    const node = this.#core.nodeIds.allocate();
    const change = new NodeChange(node, true);
    change.labelsAdded.push(...new Set(labels));
    this.writes.nodes.set(node, change);
    this.counts.nodesCreated += 1;
    this.counts.labelsAdded += change.labelsAdded.length;
    // The id stays taken until the end of the transaction: the statement may still hold it.
    this.#undoable(() => {
      change.deleted = true;
    });
    return node;
  }

  createRelationship(start: number, type: number, end: number): number {
    this.#checkOpen();
    this.#checkMine(start);
    this.#checkMine(end);
    const relationship = this.#core.relationshipIds.allocate();
    const change = new RelationshipChange(relationship, true, start, type, end);
    this.writes.addRelationship(relationship, change);
    this.counts.relationshipsCreated += 1;
    this.#undoable(() => {
      change.deleted = true;
    });
    return relationship;
  }

  deleteNode(node: number): void {
    this.#checkOpen();
    const change = this.#changeOfNode(node);
    if (!change.deleted) {
      change.deleted = true;
      this.counts.nodesDeleted += 1;
      this.#undoable(() => {
        change.deleted = false;
      });
    }
  }

  deleteRelationship(relationship: number): void {
    this.#checkOpen();
    const change = this.#changeOfRelationship(relationship);
    if (change.deleted) {
      return;
    }
    change.deleted = true;
    const out = this.writes.adjacencyOf(change.start).outRemoved;
    const into = this.writes.adjacencyOf(change.end).inRemoved;
    out.push(change);
    into.push(change);
    this.counts.relationshipsDeleted += 1;
    this.#undoable(() => {
      change.deleted = false;
      out.splice(out.lastIndexOf(change), 1);
      into.splice(into.lastIndexOf(change), 1);
    });
  }

  addLabel(node: number, label: number): void {
    this.#moveLabel(node, label, true);
  }

  removeLabel(node: number, label: number): void {
    this.#moveLabel(node, label, false);
  }

  setNodeProperty(node: number, key: number, value: PropertyValue | undefined): void {
    this.#checkOpen();
    this.#setProperty(this.#changeOfNode(node).properties, key, value);
  }

  setRelationshipProperty(relationship: number, key: number, value: PropertyValue | undefined): void {
    this.#checkOpen();
    this.#setProperty(this.#changeOfRelationship(relationship).properties, key, value);
  }

  savepoint(): number {
    this.#checkOpen();
    this.#savepoints.push({ undoLength: this.#undo.length, counts: { ...this.counts } });
    return this.#savepoints.length - 1;
  }

  rollbackTo(savepoint: number): void {
    this.#checkNotEnded();
    const { undoLength, counts } = must(this.#savepoints[savepoint], "the savepoint was set and is not released");
    while (this.#undo.length > undoLength) {
      must(this.#undo.pop(), "the undo list is longer than the mark")();
    }
    Object.assign(this.counts, counts);
    this.#savepoints.length = savepoint + 1;
  }

  releaseSavepoint(savepoint: number): void {
    this.#savepoints.length = Math.min(this.#savepoints.length, savepoint);
    if (this.#savepoints.length === 0) {
      this.#undo.length = 0;
    }
  }

  async commit(): Promise<void> {
    this.#checkOpen();
    const changes = this.writes.withoutPassing();
    try {
      this.#checkDeletedNodes();
    } catch (error) {
      this.rollback();
      throw error;
    }
    this.#state = "committing";
    this.#closeViews();
    try {
      if (!changes.isEmpty) {
        await this.#core.persist(changes);
      }
    } catch (error) {
      this.#end("rolled back", true);
      throw error;
    }
    this.#end("committed", false);
  }

  async commitSoFar(): Promise<void> {
    this.#checkOpen();
    this.#checkDeletedNodes();
    const changes = this.writes.withoutPassing();
    this.#state = "committing";
    try {
      if (!changes.isEmpty) {
        await this.#core.persist(changes);
      }
    } catch (error) {
      this.#closeViews();
      this.#end("rolled back", true);
      throw error;
    }
    this.#freeIds(false);
    this.writes = new WriteSet();
    this.#undo.length = 0;
    this.#savepoints = this.#savepoints.map(() => ({ undoLength: 0, counts: { ...this.counts } }));
    this.#core.locks.releaseAll(this);
    if (this.#snapshotEpoch !== undefined) {
      this.#core.versions.unpin(this.#snapshotEpoch);
      this.#snapshotEpoch = this.#core.versions.epoch;
      this.#core.versions.pin(this.#snapshotEpoch);
    }
    this.#state = "open";
  }

  rollback(): void {
    if (this.#state === "open") {
      this.#closeViews();
      this.#end("rolled back", true);
    }
  }

  terminate(reason: Error): void {
    if (this.#state === "open" && this.#terminated === undefined) {
      this.#terminated = reason;
      this.#core.locks.refuse(this, reason);
    }
  }

  #lock(key: number, lastChange: () => number): boolean {
    if (!this.#core.locks.tryAcquire(this, key)) {
      this.#wanted = key;
      return false;
    }
    if (this.#snapshotEpoch !== undefined && lastChange() > this.#snapshotEpoch) {
      throw new StoreConflictError(
        "TransientError.Transaction.Outdated",
        "Another transaction has changed what this one is about to change since its snapshot was taken.",
      );
    }
    return true;
  }

  #moveLabel(node: number, label: number, add: boolean): void {
    this.#checkOpen();
    const had = this.#now((view) => view.hasLabel(node, label));
    if (had === add) {
      return;
    }
    const change = this.#changeOfNode(node);
    const [to, from] = add ? [change.labelsAdded, change.labelsRemoved] : [change.labelsRemoved, change.labelsAdded];
    const formerly = from.indexOf(label);
    if (formerly >= 0) {
      from.splice(formerly, 1);
    }
    to.push(label);
    this.counts[add ? "labelsAdded" : "labelsRemoved"] += 1;
    this.#undoable(() => {
      to.splice(to.lastIndexOf(label), 1);
      if (formerly >= 0) {
        from.push(label);
      }
    });
  }

  #setProperty(properties: PropertyChanges, key: number, value: PropertyValue | undefined): void {
    const index = properties.indexOf(key);
    const former = properties.values[index];
    properties.set(key, value);
    this.counts.propertiesSet += 1;
    this.#undoable(() => {
      if (index < 0) {
        properties.forget(key);
      } else {
        properties.set(key, former);
      }
    });
  }

  #changeOfNode(node: number): NodeChange {
    let change = this.writes.nodes.get(node);
    if (change === undefined) {
      this.#checkMine(node);
      change = new NodeChange(node, false);
      this.writes.nodes.set(node, change);
    }
    return change;
  }

  #changeOfRelationship(relationship: number): RelationshipChange {
    let change = this.writes.relationships.get(relationship);
    if (change === undefined) {
      assert(this.holdsRelationship(relationship), "a relationship is locked before it is changed");
      if (!this.#now((view) => view.relationshipExists(relationship))) {
        throw new StoreError("ClientError.Statement.EntityNotFound", `Relationship with id ${relationship}`);
      }
      change = this.#core.versions.newestOfRelationship(relationship);
      change =
        change === undefined
          ? relationshipChangeOf(this.#core.versions.base, relationship)
          : new RelationshipChange(relationship, false, change.start, change.type, change.end);
      this.writes.relationships.set(relationship, change);
    }
    return change;
  }

  /** A node that was waited for may have been deleted meanwhile; one of this transaction's making cannot. */
  #checkMine(node: number): void {
    if (this.writes.nodes.get(node)?.created === true) {
      return;
    }
    assert(this.holdsNode(node), "a node is locked before it or its relationships are changed");
    if (!this.writes.nodes.has(node) && !this.#now((view) => view.nodeExists(node))) {
      throw new StoreError("ClientError.Statement.EntityNotFound", `Node with id ${node}`);
    }
  }

  #checkDeletedNodes(): void {
    for (const { node, deleted } of this.writes.nodes.values()) {
      if (deleted && this.#now((view) => view.degree(node, "both", [])) > 0) {
        throw new StoreError(
          this.#core.connectedNodeCode,
          `Node with id ${node} still has relationships, and cannot be deleted.`,
          { tckDetail: "DeleteConnectedNode" },
        );
      }
    }
  }

  /** Reads the newest committed state plus own writes, whatever the isolation. */
  #now<T>(read: (view: ReadView) => T): T {
    const { versions } = this.#core;
    return read(new GraphView(versions, this, limitsOf(this.#core), versions.epoch));
  }

  #undoable(undo: () => void): void {
    if (this.#savepoints.length > 0) {
      this.#undo.push(undo);
    }
  }

  #closeViews(): void {
    for (const view of this.#views) {
      this.releaseView(view);
    }
    if (this.#snapshotEpoch !== undefined) {
      this.#core.versions.unpin(this.#snapshotEpoch);
    }
  }

  #end(state: TransactionState, lost: boolean): void {
    this.#state = state;
    this.#savepoints = [];
    this.#undo.length = 0;
    this.#freeIds(lost);
    this.#core.locks.refuse(this, new StoreError("DatabaseError.General.UnknownFailure", ENDED));
    this.#core.locks.releaseAll(this);
    this.#core.openTransactions.delete(this);
  }

  /** Ids of what this transaction made and nobody will see. */
  #freeIds(lost: boolean): void {
    for (const change of this.writes.nodes.values()) {
      if (change.created && (lost || change.deleted)) {
        this.#core.nodeIds.free(change.node);
      }
    }
    for (const change of this.writes.relationships.values()) {
      if (change.created && (lost || change.deleted)) {
        this.#core.relationshipIds.free(change.relationship);
      }
    }
  }

  #checkOpen(): void {
    if (this.#terminated !== undefined) {
      throw this.#terminated;
    }
    this.#checkNotEnded();
  }

  #checkNotEnded(): void {
    assert(this.#state === "open", ENDED);
  }
}

const ENDED = "The transaction has ended.";

function limitsOf(core: StoreCore): { nodes: number; relationships: number } {
  return {
    get nodes(): number {
      return core.nodeIds.limit;
    },
    get relationships(): number {
      return core.relationshipIds.limit;
    },
  };
}

function noCounts(): UpdateCounts {
  return {
    nodesCreated: 0,
    nodesDeleted: 0,
    relationshipsCreated: 0,
    relationshipsDeleted: 0,
    propertiesSet: 0,
    labelsAdded: 0,
    labelsRemoved: 0,
  };
}
