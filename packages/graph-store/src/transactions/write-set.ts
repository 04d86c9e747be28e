import { type LegacyChange } from "../indexes/legacy/legacy-change.ts";
import { type BuiltIndex } from "../indexes/catalog.ts";
import { type SchemaChange } from "../schema/definitions.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { AdjacencyChange, type ChangeSet, type NodeChange, RelationshipChange } from "../versions/changes.ts";

const NO_CHANGES: readonly SchemaChange[] = [];
const NOTHING_BUILT: ReadonlyMap<string, BuiltIndex> = new Map();

/** The changes a transaction has made so far, seen by nobody else until it commits. */
export class WriteSet implements ChangeSet {
  readonly nodes: Map<number, NodeChange> = new Map();
  readonly relationships: Map<number, RelationshipChange> = new Map();
  readonly adjacency: Map<number, AdjacencyChange> = new Map();
  /** In the order in which they were made; known when it is committed. */
  schema: readonly SchemaChange[] = NO_CHANGES;
  /** The filled indexes among them, by name. */
  built: ReadonlyMap<string, BuiltIndex> = NOTHING_BUILT;

  /** Of the legacy indexes, in the order in which they were made. */
  legacy: LegacyChange[] = [];

  get isEmpty(): boolean {
    return this.hasNoData && this.schema.length === 0 && this.legacy.length === 0;
  }

  get hasNoData(): boolean {
    return this.nodes.size === 0 && this.relationships.size === 0;
  }

  adjacencyOf(node: number): AdjacencyChange {
    let change = this.adjacency.get(node);
    if (change === undefined) {
      change = new AdjacencyChange();
      this.adjacency.set(node, change);
    }
    return change;
  }

  /** What is left to commit: entities that the transaction made and deleted again were never there. */
  withoutPassing(): WriteSet {
    if (!somePassing(this.nodes) && !somePassing(this.relationships)) {
      return this;
    }
    const kept = new WriteSet();
    kept.legacy = this.legacy;
    for (const [id, change] of this.nodes) {
      if (!isPassing(change)) {
        kept.nodes.set(id, change);
      }
    }
    for (const [id, change] of this.relationships) {
      if (!isPassing(change)) {
        kept.addRelationship(id, change);
      }
    }
    return kept;
  }

  addRelationship(id: number, change: RelationshipChange): void {
    this.relationships.set(id, change);
    if (change.created) {
      this.adjacencyOf(change.start).outAdded.push(change);
      this.adjacencyOf(change.end).inAdded.push(change);
    }
    if (change.deleted) {
      this.adjacencyOf(change.start).outRemoved.push(change);
      this.adjacencyOf(change.end).inRemoved.push(change);
    }
  }
}

function somePassing(changes: ReadonlyMap<number, NodeChange | RelationshipChange>): boolean {
  for (const change of changes.values()) {
    if (isPassing(change)) {
      return true;
    }
  }
  return false;
}

function isPassing({ created, deleted }: NodeChange | RelationshipChange): boolean {
  return created && deleted;
}

/** A change set read back from the log: the same as a transaction's, with ends and types looked up in the base. */
export function relationshipChangeOf(base: GraphBase, relationship: number): RelationshipChange {
  const { starts, types, ends } = base.relationships;
  return new RelationshipChange(
    relationship,
    false,
    starts[relationship] as number,
    types[relationship] as number,
    ends[relationship] as number,
  );
}
