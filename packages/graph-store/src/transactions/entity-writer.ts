import { assert } from "@trefoil/base";
import { StoreError } from "../errors.ts";
import { type LegacyChange } from "../indexes/legacy/legacy-change.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { NodeChange, type PropertyChanges, RelationshipChange } from "../versions/changes.ts";
import { type GraphView } from "../view/graph-view.ts";
import { type OwnIndexing } from "./own-indexing.ts";
import { type Snapshot } from "./snapshot.ts";
import { type StoreCore } from "./store-core.ts";
import { type UpdateCounts } from "./transaction.ts";
import { NODE_BYTES, propertyBytes, RELATIONSHIP_BYTES, TransactionMemory } from "./write-memory.ts";
import { type UndoLog } from "./undo-log.ts";
import { relationshipChangeOf, WriteSet } from "./write-set.ts";

/** The transaction that writes. */
export interface WritingTransaction {
  readonly counts: UpdateCounts;
  holdsNode(node: number): boolean;
  holdsRelationship(relationship: number): boolean;
  /** The newest committed state with its own writes, whatever its isolation. */
  newestStates(): GraphView;
  readonly undo: UndoLog<unknown>;
}

/**
 * Gathers what one transaction does to nodes and relationships: the write set, its counts, the memory it takes, and how
 * each change is taken back. Whether the transaction may write at all is judged before.
 */
export class EntityWriter {
  readonly writes: WriteSet = new WriteSet();
  readonly #core: StoreCore;
  readonly #transaction: WritingTransaction;
  /** What its reads are judged by, unless every statement sees the newest state. */
  readonly #snapshot: Snapshot | undefined;
  readonly #indexing: OwnIndexing;
  readonly #memory: TransactionMemory;

  constructor(core: StoreCore, transaction: WritingTransaction, snapshot: Snapshot | undefined, indexing: OwnIndexing) {
    this.#core = core;
    this.#transaction = transaction;
    this.#snapshot = snapshot;
    this.#indexing = indexing;
    this.#memory = new TransactionMemory(core.memory);
  }

  createNode(labels: readonly number[]): number {
    this.#memory.take(NODE_BYTES);
    const node = this.#core.nodeIds.allocate();
    const { counts, undo } = this.#transaction;
    const change = new NodeChange(node, true, undo.newestEver);
    change.labelsAdded = labels.length > 1 ? [...new Set(labels)] : labels;
    this.writes.nodes.set(node, change);
    counts.nodesCreated += 1;
    counts.labelsAdded += change.labelsAdded.length;
    // The id stays taken until the end of the transaction: the statement may still hold it.
    undo.record(change);
    return node;
  }

  createRelationship(start: number, type: number, end: number): number {
    this.#checkMine(start);
    this.#checkMine(end);
    this.#snapshot?.checkPair(start, type, end);
    this.#memory.take(RELATIONSHIP_BYTES);
    const relationship = this.#core.relationshipIds.allocate();
    const { counts, undo } = this.#transaction;
    const change = new RelationshipChange(relationship, true, start, type, end, undo.newestEver);
    this.writes.addRelationship(relationship, change);
    counts.relationshipsCreated += 1;
    undo.record(change);
    return relationship;
  }

  deleteNode(node: number): void {
    const change = this.#changeOfNode(node);
    if (!change.deleted) {
      this.#snapshot?.checkRelationshipsOf(node);
      change.deleted = true;
      this.#transaction.counts.nodesDeleted += 1;
      this.#transaction.undo.record(() => {
        change.deleted = false;
      });
    }
  }

  deleteRelationship(relationship: number): void {
    const change = this.#changeOfRelationship(relationship);
    if (change.deleted) {
      return;
    }
    change.deleted = true;
    const out = this.writes.adjacencyOf(change.start).outRemoved;
    const into = this.writes.adjacencyOf(change.end).inRemoved;
    out.push(change);
    into.push(change);
    this.#transaction.counts.relationshipsDeleted += 1;
    this.#transaction.undo.record(() => {
      change.deleted = false;
      out.splice(out.lastIndexOf(change), 1);
      into.splice(into.lastIndexOf(change), 1);
    });
  }

  /** Nothing happens when the node has the label already, or has it not. */
  moveLabel(node: number, label: number, add: boolean): void {
    if (this.#transaction.newestStates().hasLabel(node, label) === add) {
      return;
    }
    const change = this.#changeOfNode(node);
    const { labelsAdded, labelsRemoved } = change;
    const others = (labels: readonly number[]): readonly number[] => labels.filter((each) => each !== label);
    change.labelsAdded = add ? [...labelsAdded, label] : others(labelsAdded);
    change.labelsRemoved = add ? others(labelsRemoved) : [...labelsRemoved, label];
    this.#transaction.counts[add ? "labelsAdded" : "labelsRemoved"] += 1;
    this.#transaction.undo.record(() => {
      change.labelsAdded = labelsAdded;
      change.labelsRemoved = labelsRemoved;
    });
    if (add) {
      this.#indexing.labelAdded(node, label);
    }
  }

  setNodeProperty(node: number, key: number, value: PropertyValue | undefined): void {
    this.#setProperty(this.#changeOfNode(node), key, value);
    if (value !== undefined) {
      this.#indexing.propertyWritten("node", node, key);
    }
  }

  setRelationshipProperty(relationship: number, key: number, value: PropertyValue | undefined): void {
    this.#setProperty(this.#changeOfRelationship(relationship), key, value);
    if (value !== undefined) {
      this.#indexing.propertyWritten("relationship", relationship, key);
    }
  }

  recordLegacy(change: LegacyChange): void {
    const { legacy } = this.writes;
    legacy.push(change);
    this.#transaction.undo.record(() => {
      legacy.pop();
    });
  }

  /** @throws StoreError  the store's `connectedNodeCode` when a deleted node would leave relationships behind */
  checkDeletedNodes(): void {
    const { connectedNodeCode } = this.#core;
    for (const { node, deleted, created } of this.writes.nodes.values()) {
      if (deleted && this.#transaction.newestStates().degree(node, "both", []) > 0) {
        // The model server finds no record of a node that this transaction has made (graph-measured).
        const message =
          created && connectedNodeCode === "DatabaseError.Transaction.CouldNotCommit"
            ? `NodeRecord[${node}] not in use`
            : `Node with id ${node} still has relationships, and cannot be deleted.`;
        throw new StoreError(connectedNodeCode, message, { tckDetail: "DeleteConnectedNode" });
      }
    }
  }

  /** What was written is committed, or lost: gives back its memory, and the ids of what nobody will see. */
  finish(lost: boolean): void {
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
    this.#memory.release();
  }

  #setProperty(change: NodeChange | RelationshipChange, key: number, value: PropertyValue | undefined): void {
    this.#memory.take(propertyBytes(value));
    const { counts, undo } = this.#transaction;
    counts.propertiesSet += 1;
    // What is taken back whole takes its properties along.
    if (!change.created || !undo.takesBack(change.madeAfter)) {
      undo.record(undoOfProperty(change.properties, key));
    }
    change.properties.set(key, value);
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
      assert(this.#transaction.holdsRelationship(relationship), "a relationship is locked before it is changed");
      if (!this.#transaction.newestStates().relationshipExists(relationship)) {
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
    const own = this.writes.nodes.get(node);
    if (own?.created === true) {
      return;
    }
    assert(this.#transaction.holdsNode(node), "a node is locked before it or its relationships are changed");
    if (own === undefined && !this.#transaction.newestStates().nodeExists(node)) {
      throw new StoreError("ClientError.Statement.EntityNotFound", `Node with id ${node}`);
    }
  }
}

/** Gives a property that is about to be written its former value. */
function undoOfProperty(properties: PropertyChanges, key: number): () => void {
  const index = properties.indexOf(key);
  const former = properties.values[index];
  return () => {
    if (index < 0) {
      properties.forget(key);
    } else {
      properties.set(key, former);
    }
  };
}
