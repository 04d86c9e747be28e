import { assert, must } from "@trefoil/base";
import { StoreError } from "../errors.ts";
import { type EntityStates } from "../indexes/indexed-values.ts";
import { autoIndexChanges } from "../indexes/legacy/auto-index.ts";
import { type LegacyChange, type LegacyEntryChange } from "../indexes/legacy/legacy-change.ts";
import { legacyEntryHash, type LegacyIndexAccess, LegacyWriter } from "../indexes/legacy/legacy-writer.ts";
import { type ValueIndex } from "../indexes/value-index.ts";
import { hashOfValues } from "../indexes/value-key.ts";
import { type ConstraintDefinition, type EntityKind, type IndexDefinition } from "../schema/definitions.ts";
import { type Schema } from "../schema/schema.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { NodeChange, type PropertyChanges, RelationshipChange } from "../versions/changes.ts";
import { GraphView, type ViewOwner } from "../view/graph-view.ts";
import { type ReadView } from "../read-view.ts";
import { checkExistence } from "./existence.ts";
import { type LockMode, nodeLock, relationshipLock, SCHEMA_LOCK, uniqueKeyLock } from "./lock-table.ts";
import { OwnIndexing } from "./own-indexing.ts";
import { checkTokenName, type ConstraintRequest, type IndexRequest, SchemaWriter } from "./schema-writer.ts";
import { Snapshot } from "./snapshot.ts";
import { type StoreCore } from "./store-core.ts";
import { type Isolation, type Transaction, type TransactionState, type UpdateCounts } from "./transaction.ts";
import { type KeyOwner, uniqueIndexesFor, UniqueKeys } from "./unique-keys.ts";
import { NODE_BYTES, propertyBytes, RELATIONSHIP_BYTES, TransactionMemory } from "./write-memory.ts";
import { relationshipChangeOf, WriteSet } from "./write-set.ts";

interface Savepoint {
  readonly undoLength: number;
  readonly schemaLength: number;
  readonly counts: UpdateCounts;
}

/** See {@link Transaction}. Its life: open → committing (the log has it) → committed, or rolled back from either. */
export class GraphTransaction implements Transaction, ViewOwner, KeyOwner {
  readonly id: number;
  readonly isolation: Isolation;
  writes: WriteSet = new WriteSet();
  readonly counts: UpdateCounts = noCounts();
  readonly #core: StoreCore;
  /** Unless every statement sees the newest state. */
  readonly #snapshot: Snapshot | undefined;
  readonly #views = new Map<ReadView, { readonly epoch: number }>();
  readonly #undo: (() => void)[] = [];
  #savepoints: Savepoint[] = [];
  #state: TransactionState | "committing" = "open";
  #terminated: Error | undefined;
  #wanted: { readonly key: number; readonly mode: LockMode } | undefined;
  readonly #uniqueKeys: UniqueKeys;
  readonly #indexing: OwnIndexing;
  readonly #memory: TransactionMemory;
  readonly #schemaWriter: SchemaWriter;

  readonly legacyIndexes: LegacyIndexAccess;

  constructor(core: StoreCore, id: number, isolation: Isolation) {
    this.id = id;
    this.isolation = isolation;
    this.#core = core;
    this.#snapshot = isolation === "read-committed" ? undefined : new Snapshot(core, isolation === "serializable");
    this.#uniqueKeys = new UniqueKeys(this, core.locks);
    this.#memory = new TransactionMemory(core.memory);
    this.#indexing = new OwnIndexing(this, core.versions.catalog, this.#uniqueKeys);
    this.#schemaWriter = new SchemaWriter(core.versions, core.tokens);
    this.legacyIndexes = new LegacyWriter({
      committed: core.versions.catalog.legacy,
      changes: () => this.writes.legacy,
      record: (change) => this.#recordLegacy(change),
      automatic: () => this.#automaticEntries(),
      onRead: () => this.#snapshot?.legacyIndexRead(),
    });
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

  get seesNewestOfLocked(): boolean {
    return this.#snapshot === undefined;
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
    const epoch = this.#snapshot?.epoch ?? versions.epoch;
    versions.pin(epoch);
    const view = new GraphView(versions, this, limitsOf(this.#core), epoch);
    const tracked = this.#snapshot?.tracked(view) ?? view;
    this.#views.set(tracked, view);
    return tracked;
  }

  releaseView(view: ReadView): void {
    const pinned = this.#views.get(view);
    if (pinned !== undefined) {
      this.#views.delete(view);
      this.#core.versions.unpin(pinned.epoch);
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

  lockForWriting(): boolean {
    this.#checkOpen();
    return this.#acquire(SCHEMA_LOCK, "shared");
  }

  lockLegacyEntry(entity: EntityKind, index: string, key: string, value: string): boolean {
    this.#checkOpen();
    return this.#acquire(uniqueKeyLock(LEGACY_INDEXES, legacyEntryHash(entity, index, key, value)));
  }

  settleUniqueKeys(): boolean {
    this.#checkOpen();
    if (this.#uniqueKeys.settle()) {
      return true;
    }
    this.#wanted = { key: must(this.#uniqueKeys.wanted, "what is not settled waits for a lock"), mode: "exclusive" };
    return false;
  }

  lockUnique(entity: EntityKind, tokens: readonly number[], properties: ReadonlyMap<number, PropertyValue>): boolean {
    this.#checkOpen();
    const keys = uniqueIndexesFor(this.#core.versions.catalog.indexes(entity), tokens, properties);
    if (keys.length > 0 && !this.lockForWriting()) {
      return false;
    }
    return keys.every(({ index, values }) => {
      if (!this.#acquire(uniqueKeyLock(index.ids.token, hashOfValues(values)))) {
        return false;
      }
      const holder = this.#uniqueKeys.holderOf(index, values, -1);
      return holder === undefined || this.#lockEntity(entity, holder);
    });
  }

  uniqueHolders(
    entity: EntityKind,
    tokens: readonly number[],
    properties: ReadonlyMap<number, PropertyValue>,
  ): readonly { readonly index: IndexDefinition; readonly id: number }[] {
    return uniqueIndexesFor(this.#core.versions.catalog.indexes(entity), tokens, properties).flatMap(
      ({ index, values }) => {
        const id = this.#uniqueKeys.holderOf(index, values, -1);
        return id === undefined ? [] : [{ index: index.definition, id }];
      },
    );
  }

  collectOwn(index: ValueIndex, values: readonly PropertyValue[] | undefined, into: number[]): boolean {
    return !this.writes.hasNoData && this.#indexing.collect(index, values, into);
  }

  newestStates(): EntityStates {
    return this.#now((view) => view);
  }

  get schema(): Schema {
    return this.#schemaWriter.schema;
  }

  async createIndex(request: IndexRequest): Promise<IndexDefinition> {
    await this.#lockSchema();
    const index = await this.#schemaWriter.createIndex(request);
    this.counts.indexesAdded += 1;
    return index;
  }

  async dropIndex(name: string): Promise<void> {
    await this.#lockSchema();
    this.#schemaWriter.dropIndex(name);
    this.counts.indexesRemoved += 1;
  }

  async createConstraint(request: ConstraintRequest): Promise<ConstraintDefinition> {
    await this.#lockSchema();
    const constraint = await this.#schemaWriter.createConstraint(request);
    this.counts.constraintsAdded += 1;
    return constraint;
  }

  async dropConstraint(name: string): Promise<void> {
    await this.#lockSchema();
    this.#schemaWriter.dropConstraint(name);
    this.counts.constraintsRemoved += 1;
  }

  async waitForLock(): Promise<void> {
    this.#checkOpen();
    const { key, mode } = must(this.#wanted, "waitForLock follows a lock that was refused");
    this.#wanted = undefined;
    await this.#core.locks.wait(this, key, mode);
    if (this.#terminated !== undefined) {
      throw this.#terminated;
    }
  }

  labelId(name: string): number {
    checkTokenName(name);
    return this.#core.tokens.labels.idOf(name);
  }

  relationshipTypeId(name: string): number {
    checkTokenName(name);
    return this.#core.tokens.relationshipTypes.idOf(name);
  }

  propertyKeyId(name: string): number {
    checkTokenName(name);
    return this.#core.tokens.propertyKeys.idOf(name);
  }

  createNode(labels: readonly number[]): number {
    this.#checkWritable();
    this.#memory.take(NODE_BYTES);
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
    this.#checkWritable();
    this.#checkMine(start);
    this.#checkMine(end);
    this.#snapshot?.checkPair(start, type, end);
    this.#memory.take(RELATIONSHIP_BYTES);
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
    this.#checkWritable();
    const change = this.#changeOfNode(node);
    if (!change.deleted) {
      this.#snapshot?.checkRelationshipsOf(node);
      change.deleted = true;
      this.counts.nodesDeleted += 1;
      this.#undoable(() => {
        change.deleted = false;
      });
    }
  }

  deleteRelationship(relationship: number): void {
    this.#checkWritable();
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
    this.#checkWritable();
    this.#setProperty(this.#changeOfNode(node).properties, key, value);
    if (value !== undefined) {
      this.#indexing.propertyWritten("node", node, key);
    }
  }

  setRelationshipProperty(relationship: number, key: number, value: PropertyValue | undefined): void {
    this.#checkWritable();
    this.#setProperty(this.#changeOfRelationship(relationship).properties, key, value);
    if (value !== undefined) {
      this.#indexing.propertyWritten("relationship", relationship, key);
    }
  }

  savepoint(): number {
    this.#checkOpen();
    const schemaLength = this.#schemaWriter.changes.length;
    this.#savepoints.push({ undoLength: this.#undo.length, schemaLength, counts: { ...this.counts } });
    return this.#savepoints.length - 1;
  }

  rollbackTo(savepoint: number): void {
    this.#checkNotEnded();
    const { undoLength, schemaLength, counts } = must(
      this.#savepoints[savepoint],
      "the savepoint was set and is not released",
    );
    while (this.#undo.length > undoLength) {
      must(this.#undo.pop(), "the undo list is longer than the mark")();
    }
    if (this.#schemaWriter.changes.length > schemaLength) {
      this.#schemaWriter.undoTo(schemaLength);
    }
    this.#uniqueKeys.giveUpUndone();
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
    let changes: WriteSet;
    try {
      while (!this.#isSettled()) {
        await this.waitForLock();
      }
      changes = this.#checkedChanges();
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
    while (!this.#isSettled()) {
      await this.waitForLock();
    }
    const changes = this.#checkedChanges();
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
    this.#memory.release();
    this.writes = new WriteSet();
    this.#undo.length = 0;
    this.#indexing.startAgain();
    this.#schemaWriter.startAgain();
    this.#savepoints = this.#savepoints.map(() => ({ undoLength: 0, schemaLength: 0, counts: { ...this.counts } }));
    this.#core.locks.releaseAll(this);
    this.#snapshot?.renew();
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
      this.#core.locks.refuse(this, () => reason);
    }
  }

  /** What is to be committed, all its promises checked. */
  #checkedChanges(): WriteSet {
    this.#checkOpen();
    this.#checkDeletedNodes();
    checkExistence(this.writes, this.newestStates(), this.#core.versions.catalog.schema, this.#core.tokens);
    this.writes.schema = this.#schemaWriter.changes;
    this.writes.built = this.#schemaWriter.built;
    const changes = this.writes.withoutPassing();
    changes.legacy = [...changes.legacy, ...this.#automaticEntries()];
    this.#snapshot?.validate(!changes.isEmpty);
    return changes;
  }

  #automaticEntries(): LegacyEntryChange[] {
    const { tokens, versions } = this.#core;
    return autoIndexChanges(this.writes, versions.catalog.legacy, (key) => tokens.propertyKeys.nameOf(key));
  }

  #recordLegacy(change: LegacyChange): void {
    this.#checkOpen();
    const { legacy } = this.writes;
    legacy.push(change);
    this.#undoable(() => {
      legacy.pop();
    });
  }

  /** What may have to be waited for before a commit. Nothing is, usually: then it goes on at once. */
  #isSettled(): boolean {
    if (this.writes.hasNoData) {
      return true;
    }
    if (!this.lockForWriting()) {
      return false;
    }
    this.#indexing.followSchema();
    return this.settleUniqueKeys();
  }

  async #lockSchema(): Promise<void> {
    this.#checkOpen();
    if (!this.writes.hasNoData) {
      throw new StoreError(
        "ClientError.Transaction.InvalidType",
        "Cannot perform schema updates in a transaction that has performed data updates.",
      );
    }
    while (!this.#acquire(SCHEMA_LOCK)) {
      await this.waitForLock();
    }
  }

  #acquire(key: number, mode: LockMode = "exclusive"): boolean {
    if (this.#core.locks.tryAcquire(this, key, mode)) {
      return true;
    }
    this.#wanted = { key, mode };
    return false;
  }

  #lockEntity(entity: EntityKind, id: number): boolean {
    // What this transaction made itself is nobody else's to lock.
    const own = entity === "node" ? this.writes.nodes.get(id) : this.writes.relationships.get(id);
    return own?.created === true || (entity === "node" ? this.lockNode(id) : this.lockRelationship(id));
  }

  #lock(key: number, lastChange: () => number): boolean {
    if (!this.#acquire(SCHEMA_LOCK, "shared") || !this.#acquire(key)) {
      return false;
    }
    this.#snapshot?.checkUnchanged(lastChange());
    return true;
  }

  #moveLabel(node: number, label: number, add: boolean): void {
    this.#checkWritable();
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
    if (add) {
      this.#indexing.labelAdded(node, label);
    }
  }

  #setProperty(properties: PropertyChanges, key: number, value: PropertyValue | undefined): void {
    this.#memory.take(propertyBytes(value));
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
      this.#memory.take(NODE_BYTES);
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
      this.#memory.take(RELATIONSHIP_BYTES);
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
    const { connectedNodeCode } = this.#core;
    for (const { node, deleted, created } of this.writes.nodes.values()) {
      if (deleted && this.#now((view) => view.degree(node, "both", [])) > 0) {
        // The model server finds no record of a node that this transaction has made (graph-measured).
        const message =
          created && connectedNodeCode === "DatabaseError.Transaction.CouldNotCommit"
            ? `NodeRecord[${node}] not in use`
            : `Node with id ${node} still has relationships, and cannot be deleted.`;
        throw new StoreError(connectedNodeCode, message, { tckDetail: "DeleteConnectedNode" });
      }
    }
  }

  /** Reads the newest committed state plus own writes, whatever the isolation. */
  #now<T>(read: (view: GraphView) => T): T {
    const { versions } = this.#core;
    return read(new GraphView(versions, this, limitsOf(this.#core), versions.epoch));
  }

  #undoable(undo: () => void): void {
    if (this.#savepoints.length > 0) {
      this.#undo.push(undo);
    }
  }

  #closeViews(): void {
    for (const view of this.#views.keys()) {
      this.releaseView(view);
    }
    this.#snapshot?.release();
  }

  #end(state: TransactionState, lost: boolean): void {
    this.#state = state;
    this.#savepoints = [];
    this.#undo.length = 0;
    this.#freeIds(lost);
    this.#memory.release();
    // An error costs more than the rest of an ending: it is made when somebody waits.
    this.#core.locks.refuse(this, () => new StoreError("DatabaseError.General.UnknownFailure", ENDED));
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

  /** Writing needs the schema to stay as it is: who could not ask for that before has it looked after at the commit. */
  #checkWritable(): void {
    this.#checkOpen();
    if (this.#schemaWriter.changes.length > 0) {
      throw new StoreError(
        "ClientError.Statement.ConstraintViolation",
        "Cannot perform data updates in a transaction that has performed schema updates.",
      );
    }
    this.#core.locks.tryAcquire(this, SCHEMA_LOCK, "shared");
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

/** No token has this number: locks of legacy entries are beside those of unique indexes. */
const LEGACY_INDEXES = 2 ** 20 - 1;

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
    indexesAdded: 0,
    indexesRemoved: 0,
    constraintsAdded: 0,
    constraintsRemoved: 0,
  };
}
