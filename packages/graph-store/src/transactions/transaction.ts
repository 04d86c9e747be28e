import { type ReadView } from "../read-view.ts";
import { type PropertyValue } from "../values/property-value.ts";

/** `read-committed`: every statement sees the newest committed state as of its start. The others: one for the whole transaction. */
export type Isolation = "read-committed" | "snapshot" | "serializable";

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
}

/**
 * A transaction: reads through views, writes into its own write set under locks that it keeps to its end.
 *
 * Writes are synchronous. One that touches an existing entity needs its lock first: `lockNode`/`lockRelationship`
 * answer `true` at once when it is had, or `false` when another transaction holds it: the caller then awaits
 * `waitForLock()` (rejects for the victim of a deadlock, after the lock timeout, and when the transaction was
 * terminated) and asks again. Creating entities needs no lock of their own;
 * creating a relationship needs those of both its end nodes, deleting one only its own lock.
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
