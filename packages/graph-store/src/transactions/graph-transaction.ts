import { assert, must } from "@trefoil/base";
import { StoreError } from "../errors.ts";
import { autoIndexChanges } from "../indexes/legacy/auto-index.ts";
import { type LegacyEntryChange } from "../indexes/legacy/legacy-change.ts";
import { legacyEntryHash, type LegacyIndexAccess, LegacyWriter } from "../indexes/legacy/legacy-writer.ts";
import { type ValueIndex } from "../indexes/value-index.ts";
import { hashOfValues } from "../indexes/value-key.ts";
import { type ConstraintDefinition, type EntityKind, type IndexDefinition } from "../schema/definitions.ts";
import { type Schema } from "../schema/schema.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type ChangeSet } from "../versions/changes.ts";
import { GraphView, type ViewOwner } from "../view/graph-view.ts";
import { type ReadView } from "../read-view.ts";
import { EntityWriter, type WritingTransaction } from "./entity-writer.ts";
import { checkExistence } from "./existence.ts";
import { type LockMode, nodeLock, relationshipLock, SCHEMA_LOCK, uniqueKeyLock } from "./lock-table.ts";
import { OwnIndexing } from "./own-indexing.ts";
import { checkTokenName, type ConstraintRequest, type IndexRequest, SchemaWriter } from "./schema-writer.ts";
import { Snapshot } from "./snapshot.ts";
import { type StoreCore } from "./store-core.ts";
import {
  type Isolation,
  NO_UPDATES,
  type Transaction,
  type TransactionState,
  type UpdateCounts,
} from "./transaction.ts";
import { type KeyOwner, uniqueIndexesFor, UniqueKeys } from "./unique-keys.ts";
import { UndoLog } from "./undo-log.ts";
import { WriteSet } from "./write-set.ts";

/** How things stood at a savepoint, besides what the undo log knows. */
interface Mark {
  readonly schemaLength: number;
  readonly counts: UpdateCounts;
}

/** See {@link Transaction}. Its life: open → committing (the log has it) → committed, or rolled back from either. */
export class GraphTransaction implements Transaction, ViewOwner, KeyOwner, WritingTransaction {
  readonly id: number;
  readonly isolation: Isolation;
  /** Undefined until something is written: most transactions read. */
  #writer: EntityWriter | undefined;
  readonly counts: UpdateCounts = { ...NO_UPDATES };
  readonly #core: StoreCore;
  /** Unless every statement sees the newest state. */
  readonly #snapshot: Snapshot | undefined;
  readonly #views = new Map<ReadView, { readonly epoch: number }>();
  readonly undo: UndoLog<Mark> = new UndoLog<Mark>();
  #state: TransactionState | "committing" = "open";
  #terminated: Error | undefined;
  #wanted: { readonly key: number; readonly mode: LockMode } | undefined;
  readonly #uniqueKeys: UniqueKeys;
  readonly #indexing: OwnIndexing;
  #schemaWriter: SchemaWriter | undefined;
  #legacyWriter: LegacyWriter | undefined;

  constructor(core: StoreCore, id: number, isolation: Isolation) {
    this.id = id;
    this.isolation = isolation;
    this.#core = core;
    this.#snapshot = isolation === "read-committed" ? undefined : new Snapshot(core, isolation === "serializable");
    this.#uniqueKeys = new UniqueKeys(this, core.locks);
    this.#indexing = new OwnIndexing(this, core.versions.catalog, this.#uniqueKeys);
    core.openTransactions.add(this);
  }

  get state(): TransactionState {
    return this.#state === "committing" ? "open" : this.#state;
  }

  get writes(): ChangeSet {
    return this.#writes;
  }

  get legacyIndexes(): LegacyIndexAccess {
    this.#legacyWriter ??= new LegacyWriter({
      committed: this.#core.versions.catalog.legacy,
      changes: () => this.#writes.legacy,
      record: (change) => {
        this.#checkOpen();
        this.#writing().recordLegacy(change);
      },
      automatic: () => this.#automaticEntries(),
      onRead: () => this.#snapshot?.legacyIndexRead(),
    });
    return this.#legacyWriter;
  }

  get cost(): number {
    return this.writes.nodes.size + this.writes.relationships.size;
  }

  get isUntouched(): boolean {
    return this.#writes.isEmpty && !this.#core.locks.holdsAny(this);
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
    const view = new GraphView(versions, this, this.#core.limits, epoch);
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
    // What this transaction made itself is nobody else's to lock.
    const isOwn = this.writes.nodes.get(node)?.created === true;
    return isOwn || this.#lock(nodeLock(node), () => this.#core.versions.lastChangeOfNode(node));
  }

  lockRelationship(relationship: number): boolean {
    this.#checkOpen();
    const isOwn = this.writes.relationships.get(relationship)?.created === true;
    return (
      isOwn ||
      this.#lock(relationshipLock(relationship), () => this.#core.versions.lastChangeOfRelationship(relationship))
    );
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
      return holder === undefined || (entity === "node" ? this.lockNode(holder) : this.lockRelationship(holder));
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
    return !this.#writes.hasNoData && this.#indexing.collect(index, values, into);
  }

  newestStates(): GraphView {
    const { versions, limits } = this.#core;
    return new GraphView(versions, this, limits, versions.epoch);
  }

  get schema(): Schema {
    return this.#schemaWriter?.schema ?? this.#core.versions.catalog.schema;
  }

  async lockSchema(): Promise<void> {
    this.#checkOpen();
    if (!this.#writes.hasNoData) {
      throw new StoreError(
        "ClientError.Transaction.InvalidType",
        "Cannot perform schema updates in a transaction that has performed data updates.",
      );
    }
    while (!this.#acquire(SCHEMA_LOCK)) {
      await this.waitForLock();
    }
  }

  async createIndex(request: IndexRequest): Promise<IndexDefinition> {
    await this.lockSchema();
    const index = await this.#schema().createIndex(request);
    this.counts.indexesAdded += 1;
    return index;
  }

  async dropIndex(name: string): Promise<void> {
    await this.lockSchema();
    this.#schema().dropIndex(name);
    this.counts.indexesRemoved += 1;
  }

  async createConstraint(request: ConstraintRequest): Promise<ConstraintDefinition> {
    await this.lockSchema();
    const constraint = await this.#schema().createConstraint(request);
    this.counts.constraintsAdded += 1;
    return constraint;
  }

  async dropConstraint(name: string): Promise<void> {
    await this.lockSchema();
    this.#schema().dropConstraint(name);
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
    this.#checkWritable("ClientError.Statement.ConstraintViolation");
    return this.#writing().createNode(labels);
  }

  createRelationship(start: number, type: number, end: number): number {
    this.#checkWritable("ClientError.Statement.ConstraintViolation");
    return this.#writing().createRelationship(start, type, end);
  }

  deleteNode(node: number): void {
    this.#checkWritable();
    this.#writing().deleteNode(node);
  }

  deleteRelationship(relationship: number): void {
    this.#checkWritable();
    this.#writing().deleteRelationship(relationship);
  }

  addLabel(node: number, label: number): void {
    this.#checkWritable();
    this.#writing().moveLabel(node, label, true);
  }

  removeLabel(node: number, label: number): void {
    this.#checkWritable();
    this.#writing().moveLabel(node, label, false);
  }

  setNodeProperty(node: number, key: number, value: PropertyValue | undefined): void {
    this.#checkWritable();
    this.#writing().setNodeProperty(node, key, value);
  }

  setRelationshipProperty(relationship: number, key: number, value: PropertyValue | undefined): void {
    this.#checkWritable();
    this.#writing().setRelationshipProperty(relationship, key, value);
  }

  savepoint(): number {
    this.#checkOpen();
    return this.undo.set(this.#mark());
  }

  rollbackTo(savepoint: number): void {
    this.#checkNotEnded();
    const { schemaLength, counts } = this.undo.backTo(savepoint);
    if (this.#schemaWriter !== undefined && this.#schemaWriter.changes.length > schemaLength) {
      this.#schemaWriter.undoTo(schemaLength);
    }
    this.#uniqueKeys.giveUpUndone();
    Object.assign(this.counts, counts);
  }

  releaseSavepoint(savepoint: number): void {
    this.undo.release(savepoint);
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
    this.#writer?.finish(false);
    this.#writer = undefined;
    this.#indexing.startAgain();
    this.#schemaWriter?.startAgain();
    this.undo.startAgain(() => this.#mark());
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

  get #writes(): WriteSet {
    return this.#writer?.writes ?? NOTHING_WRITTEN;
  }

  #writing(): EntityWriter {
    this.#writer ??= new EntityWriter(this.#core, this, this.#snapshot, this.#indexing);
    return this.#writer;
  }

  #mark(): Mark {
    return { schemaLength: this.#schemaWriter?.changes.length ?? 0, counts: { ...this.counts } };
  }

  #schema(): SchemaWriter {
    this.#schemaWriter ??= new SchemaWriter(this.#core.versions, this.#core.tokens);
    return this.#schemaWriter;
  }

  /** What is to be committed, all its promises checked. */
  #checkedChanges(): WriteSet {
    this.#checkOpen();
    if (this.#writer === undefined && this.#schemaWriter === undefined) {
      this.#snapshot?.validate(false);
      return NOTHING_WRITTEN;
    }
    this.#writer?.checkDeletedNodes();
    checkExistence(this.writes, this.newestStates(), this.#core.versions.catalog.schema, this.#core.tokens);
    const changes = this.#writing().writes.withoutPassing();
    if (this.#schemaWriter !== undefined) {
      changes.schema = this.#schemaWriter.changes;
      changes.built = this.#schemaWriter.built;
    }
    changes.legacy = [...changes.legacy, ...this.#automaticEntries()];
    this.#snapshot?.validate(!changes.isEmpty);
    return changes;
  }

  #automaticEntries(): LegacyEntryChange[] {
    const { tokens, versions } = this.#core;
    return autoIndexChanges(this.writes, versions.catalog.legacy, (key) => tokens.propertyKeys.nameOf(key));
  }

  /** What may have to be waited for before a commit. Nothing is, usually: then it goes on at once. */
  #isSettled(): boolean {
    if (this.#writes.hasNoData) {
      return true;
    }
    if (!this.lockForWriting()) {
      return false;
    }
    this.#indexing.followSchema();
    return this.settleUniqueKeys();
  }

  #acquire(key: number, mode: LockMode = "exclusive"): boolean {
    if (this.#core.locks.tryAcquire(this, key, mode)) {
      return true;
    }
    this.#wanted = { key, mode };
    return false;
  }

  #lock(key: number, lastChange: () => number): boolean {
    if (!this.#acquire(SCHEMA_LOCK, "shared") || !this.#acquire(key)) {
      return false;
    }
    this.#snapshot?.checkUnchanged(lastChange());
    return true;
  }

  #closeViews(): void {
    for (const view of this.#views.keys()) {
      this.releaseView(view);
    }
    this.#snapshot?.release();
  }

  #end(state: TransactionState, lost: boolean): void {
    this.#state = state;
    this.undo.clear();
    this.#writer?.finish(lost);
    // An error costs more than the rest of an ending: it is made when somebody waits.
    this.#core.locks.refuse(this, () => new StoreError("DatabaseError.General.UnknownFailure", ENDED));
    this.#core.locks.releaseAll(this);
    this.#core.openTransactions.delete(this);
  }

  /**
   * Writing needs the schema to stay as it is: who could not ask for that before has it looked after at the commit.
   *
   * @param refusal  the code when this transaction has changed the schema: the model server's differ (measured)
   */
  #checkWritable(
    refusal:
      | "ClientError.Transaction.InvalidType"
      | "ClientError.Statement.ConstraintViolation" = "ClientError.Transaction.InvalidType",
  ): void {
    this.#checkOpen();
    if (this.#schemaWriter !== undefined && this.#schemaWriter.changes.length > 0) {
      const message = "Cannot perform data updates in a transaction that has performed schema updates.";
      throw new StoreError(refusal, message);
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

/** Of transactions that only read. */
const NOTHING_WRITTEN: WriteSet = new WriteSet();

/** No token has this number: locks of legacy entries are beside those of unique indexes. */
const LEGACY_INDEXES = 2 ** 20 - 1;

const ENDED = "The transaction has ended.";
