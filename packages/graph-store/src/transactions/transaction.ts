import { type LegacyIndexAccess } from "../indexes/legacy/legacy-writer.ts";
import { type EntityKind, type ConstraintDefinition, type IndexDefinition } from "../schema/definitions.ts";
import { type Schema } from "../schema/schema.ts";
import { type ReadView } from "../read-view.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type ConstraintRequest, type IndexRequest } from "./schema-writer.ts";

/** `read-committed`: every statement sees the newest committed state as of its start. The others: one for the whole transaction. */
export type Isolation = (typeof ISOLATIONS)[number];

export const ISOLATIONS = ["read-committed", "snapshot", "serializable"] as const;

export type TransactionState = "open" | "committed" | "rolled back";

/** What a transaction (or a statement of it) changed, as the `stats` of the wire count it. */
export interface UpdateCounts {
  nodesCreated: number;
  nodesDeleted: number;
  relationshipsCreated: number;
  relationshipsDeleted: number;
  propertiesSet: number;
  labelsAdded: number;
  labelsRemoved: number;
  indexesAdded: number;
  indexesRemoved: number;
  constraintsAdded: number;
  constraintsRemoved: number;
}

export const NO_UPDATES: Readonly<UpdateCounts> = {
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

/**
 * A transaction: reads through views, writes into its own write set under locks that it keeps to its end.
 *
 * Writes are synchronous. One that touches an existing entity needs its lock first: `lockNode`/`lockRelationship`
 * answer `true` at once when it is had, or `false` when another transaction holds it: the caller then awaits
 * `waitForLock()` (rejects for the victim of a deadlock, after the lock timeout, and when the transaction was
 * terminated) and asks again. Creating entities needs no lock of their own;
 * creating a relationship needs those of both its end nodes, deleting one only its own lock.
 *
 * A value that must be unique is locked and checked where it is written: an entity that has it already throws
 * `Schema.ConstraintViolation`. When another transaction holds the lock on it, the write is done, but the check is left
 * open: the caller asks `settleUniqueKeys()` after its writes and waits as above while that is `false`; a commit does so
 * by itself.
 *
 * The schema is changed by a transaction that writes no data, alone: it waits for all who have written, and whoever
 * writes waits for it.
 *
 * Who waited asks the view again: what was waited for may be changed or gone. Writing to an entity that is gone throws
 * `Statement.EntityNotFound`.
 */
export interface Transaction {
  readonly id: number;
  readonly isolation: Isolation;
  readonly state: TransactionState;
  readonly counts: Readonly<UpdateCounts>;

  /** A view as of now plus this transaction's writes; released by `releaseView` so that old versions can go. */
  openView(): ReadView;
  releaseView(view: ReadView): void;

  lockNode(node: number): boolean;
  lockRelationship(relationship: number): boolean;
  waitForLock(): Promise<void>;
  /** The indexes of the 1.x line. */
  readonly legacyIndexes: LegacyIndexAccess;
  /** For what is to be under a key and value once only: whether it is this transaction's to look and put now. */
  lockLegacyEntry(entity: EntityKind, index: string, key: string, value: string): boolean;

  /** Whether this transaction can write now: `false` while another one is changing the schema. */
  lockForWriting(): boolean;
  settleUniqueKeys(): boolean;
  /**
   * Before looking for (and perhaps making) an entity that unique values identify: holds those values against others, and
   * the entity that has them, so that views show its newest state. `true` at once where nothing of it must be unique.
   */
  lockUnique(entity: EntityKind, tokens: readonly number[], properties: ReadonlyMap<number, PropertyValue>): boolean;
  /** Which constraint's values are had by which entity already. */
  uniqueHolders(
    entity: EntityKind,
    tokens: readonly number[],
    properties: ReadonlyMap<number, PropertyValue>,
  ): readonly { readonly index: IndexDefinition; readonly id: number }[];

  /** The schema with this transaction's own changes. */
  readonly schema: Schema;
  /**
   * Schema changes wait for their lock themselves.
   *
   * @throws StoreError  `Transaction.InvalidType` after data was written; the rest as schema-writer.ts says
   */
  /** Takes that lock for who has to look at the schema before changing it. */
  lockSchema(): Promise<void>;
  createIndex(request: IndexRequest): Promise<IndexDefinition>;
  dropIndex(name: string): Promise<void>;
  createConstraint(request: ConstraintRequest): Promise<ConstraintDefinition>;
  dropConstraint(name: string): Promise<void>;

  /** Ids for names that may be new; made durable with the commit. */
  labelId(name: string): number;
  relationshipTypeId(name: string): number;
  propertyKeyId(name: string): number;

  createNode(labels: readonly number[]): number;
  createRelationship(start: number, type: number, end: number): number;
  deleteNode(node: number): void;
  deleteRelationship(relationship: number): void;
  addLabel(node: number, label: number): void;
  removeLabel(node: number, label: number): void;
  /** `undefined` removes. */
  setNodeProperty(node: number, key: number, value: PropertyValue | undefined): void;
  setRelationshipProperty(relationship: number, key: number, value: PropertyValue | undefined): void;

  /** Statement-level atomicity: everything after the mark is undone by `rollbackTo`. */
  savepoint(): number;
  rollbackTo(savepoint: number): void;
  /** The mark and later ones are not needed any more, so neither is what undoing to them would take. */
  releaseSavepoint(savepoint: number): void;

  /** Checks that no deleted node keeps relationships, appends to the log and resolves once that is on disk. */
  commit(): Promise<void>;
  /**
   * Commits what was written so far and goes on as a new transaction would: locks are released, views that are open are
   * of the past, savepoints now mean this moment. {@link counts} go on counting.
   */
  commitSoFar(): Promise<void>;
  rollback(): void;
  /** Makes every later call and the present lock wait fail with `reason`. */
  terminate(reason: Error): void;
}
