import { hasBit } from "../memory/bitmap.ts";
import { type Direction, type ExpandBuffer, type IdCursor, type IdRange, type ReadView } from "../read-view.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { allWithin, keysAfter, labelIn, newestWithin } from "../versions/change-chain.ts";
import { type AdjacencyChange, type ChangeSet, type NodeChange, type RelationshipChange } from "../versions/changes.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { type ValueRange } from "../indexes/order-key.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { type ConnectedView, degreeOf, expandFrom } from "./connections.ts";
import { type OwnEntries, seekProperties, seekRange, type Seeker, seekValues } from "./index-seek.ts";
import { searchText, type TextHit } from "./text-search.ts";
import { StoreError } from "../errors.ts";
import { BitmapCursor, MergedCursor, TableCursor } from "./scan-cursor.ts";

/** What a view needs to know of the transaction it belongs to. */
export interface ViewOwner extends OwnEntries {
  readonly writes: ChangeSet;
  /** Whether it has written or locked anything that was there before: then base arrays alone don't answer. */
  readonly isUntouched: boolean;
  /** Whether what it has locked is read as last committed, whatever the view's epoch (rulings, Graph 15). */
  readonly seesNewestOfLocked: boolean;
  holdsNode(node: number): boolean;
  holdsRelationship(relationship: number): boolean;
}

/** Id limits that count what is not committed yet. */
export interface IdLimits {
  readonly nodes: number;
  readonly relationships: number;
}

const NEWEST = Number.MAX_SAFE_INTEGER - 1;

/**
 * The graph as of one epoch plus its transaction's own writes: own changes first, then the layers of newer commits,
 * then the base (versions/version-store.ts). Everything here is right at any moment; generated code that finds
 * `clean` true may read the base arrays itself instead.
 */
export class GraphView implements ReadView, ConnectedView {
  readonly epoch: number;
  readonly #versions: VersionStore;
  readonly #graph: GraphBase;
  readonly #owner: ViewOwner;
  readonly #limits: IdLimits;
  readonly #baseIsExact: boolean;

  constructor(versions: VersionStore, owner: ViewOwner, limits: IdLimits, epoch: number) {
    this.epoch = epoch;
    this.#versions = versions;
    this.#graph = versions.base;
    this.#owner = owner;
    this.#limits = limits;
    // Folding stops at the oldest pinned epoch, so this cannot change while the view is open.
    this.#baseIsExact = versions.baseEpoch === epoch;
  }

  get base(): GraphBase {
    return this.#graph;
  }

  get clean(): boolean {
    return this.#baseIsExact && this.#owner.isUntouched;
  }

  get nodeIdLimit(): number {
    return this.clean ? this.#graph.nodes.idLimit : this.#limits.nodes;
  }

  get relationshipIdLimit(): number {
    return this.clean ? this.#graph.relationshipCounts.idLimit : this.#limits.relationships;
  }

  nodeExists(node: number): boolean {
    const change = this.#newestOfNode(node);
    if (change !== undefined) {
      return !change.deleted;
    }
    return this.#graph.nodes.exists(node);
  }

  relationshipExists(relationship: number): boolean {
    return this.isVisible(relationship, this.#limitOfRelationship(relationship));
  }

  nodeCount(label?: number): number {
    const nodes = this.#graph.nodes;
    const inBase = label === undefined ? nodes.count : nodes.labelCount(label);
    if (this.clean) {
      return inBase;
    }
    return (
      inBase +
      this.#difference("nodes", (node) => {
        const before = label === undefined ? nodes.exists(node) : nodes.labelsOf(node).includes(label);
        const now = label === undefined ? this.nodeExists(node) : this.hasLabel(node, label);
        return Number(now) - Number(before);
      })
    );
  }

  relationshipCount(type?: number): number {
    const counts = this.#graph.relationshipCounts;
    const inBase = type === undefined ? counts.count : counts.typeCount(type);
    if (this.clean) {
      return inBase;
    }
    return (
      inBase +
      this.#difference("relationships", (relationship) => {
        if (type !== undefined && this.typeOf(relationship) !== type) {
          return 0;
        }
        return Number(this.relationshipExists(relationship)) - Number(this.#graph.relationships.exists(relationship));
      })
    );
  }

  hasLabel(node: number, label: number): boolean {
    const own = this.#owner.writes.nodes.get(node);
    if (own !== undefined) {
      const answer = labelIn(own, label);
      if (answer !== undefined) {
        return answer;
      }
    }
    if (!this.#versions.isFolded) {
      const limit = this.limitOfNode(node);
      for (const newest of [this.#versions.active.nodes.get(node), this.#versions.sealed?.nodes.get(node)]) {
        for (let change = newest; change !== undefined; change = change.older) {
          const answer = change.epoch <= limit ? labelIn(change, label) : undefined;
          if (answer !== undefined) {
            return answer;
          }
        }
      }
    }
    const bitmap = this.#graph.nodes.labelBitmap(label);
    return bitmap !== undefined && hasBit(bitmap, node);
  }

  labelsOf(node: number): readonly number[] {
    const inBase = this.#graph.nodes.labelsOf(node);
    const touched = this.#nodeChanges(node);
    if (touched.length === 0) {
      return inBase;
    }
    const labels = new Set(inBase);
    for (const change of touched.toReversed()) {
      change.labelsAdded.forEach((label) => labels.add(label));
      change.labelsRemoved.forEach((label) => labels.delete(label));
    }
    return touched[0]?.deleted === true ? [] : [...labels].toSorted((a, b) => a - b);
  }

  nodeProperty(node: number, key: number): PropertyValue | undefined {
    const own = this.#owner.writes.nodes.get(node);
    if (own !== undefined) {
      const index = own.properties.indexOf(key);
      if (own.deleted || index >= 0) {
        return own.deleted ? undefined : own.properties.values[index];
      }
    }
    if (!this.#versions.isFolded) {
      for (const change of this.#nodeChanges(node)) {
        const index = change.properties.indexOf(key);
        if (change.deleted || index >= 0) {
          return change.deleted ? undefined : change.properties.values[index];
        }
      }
    }
    return this.#graph.nodeProperties.get(node, key);
  }

  nodePropertyKeys(node: number): readonly number[] {
    return keysAfter(this.#graph.nodeProperties.keysOf(node), this.#nodeChanges(node));
  }

  typeOf(relationship: number): number {
    const change = this.#anyChange(relationship);
    return change === undefined ? (this.#graph.relationships.types[relationship] as number) : change.type;
  }

  startOf(relationship: number): number {
    const change = this.#anyChange(relationship);
    return change === undefined ? (this.#graph.relationships.starts[relationship] as number) : change.start;
  }

  endOf(relationship: number): number {
    const change = this.#anyChange(relationship);
    return change === undefined ? (this.#graph.relationships.ends[relationship] as number) : change.end;
  }

  relationshipProperty(relationship: number, key: number): PropertyValue | undefined {
    for (const change of this.#relationshipChanges(relationship)) {
      const index = change.properties.indexOf(key);
      if (change.deleted || index >= 0) {
        return change.deleted ? undefined : change.properties.values[index];
      }
    }
    return this.#graph.relationshipProperties.get(relationship, key);
  }

  relationshipPropertyKeys(relationship: number): readonly number[] {
    const inBase = this.#graph.relationshipProperties.keysOf(relationship);
    return keysAfter(inBase, this.#relationshipChanges(relationship));
  }

  degree(node: number, direction: Direction, types: readonly number[]): number {
    return degreeOf(this, node, direction, types);
  }

  expand(node: number, direction: Direction, types: readonly number[], buffer: ExpandBuffer): number {
    return expandFrom(this, node, direction, types, buffer);
  }

  allNodes(range: IdRange = EVERY_ID): IdCursor {
    const { labelSets, idLimit } = this.#graph.nodes;
    const inBase = new TableCursor(labelSets, idLimit, range);
    return this.#merged(inBase, "nodes", range, (node) => this.nodeExists(node));
  }

  nodesWithLabel(label: number, range: IdRange = EVERY_ID): IdCursor {
    const inBase = new BitmapCursor(this.#graph.nodes.labelBitmap(label) ?? NO_BITS, range);
    return this.#merged(inBase, "nodes", range, (node) => this.hasLabel(node, label));
  }

  allRelationships(range: IdRange = EVERY_ID): IdCursor {
    const { types, idLimit } = this.#graph.relationships;
    const inBase = new TableCursor(types, idLimit, range);
    return this.#merged(inBase, "relationships", range, (id) => this.relationshipExists(id));
  }

  entitiesWithValues(
    entity: EntityKind,
    token: number,
    keys: readonly number[],
    values: readonly PropertyValue[],
  ): IdCursor {
    return seekValues(this.#seeker(), entity, { token, keys }, values);
  }

  entitiesInRange(entity: EntityKind, token: number, key: number, range: ValueRange, all: boolean): IdCursor {
    return seekRange(this.#seeker(), entity, { token, keys: [key] }, range, all);
  }

  entitiesWithProperties(entity: EntityKind, token: number, keys: readonly number[]): IdCursor {
    return seekProperties(this.#seeker(), entity, { token, keys });
  }

  searchText(name: string, query: string): readonly TextHit[] {
    const index = this.#versions.catalog.findText(name);
    if (index === undefined) {
      throw new StoreError("ClientError.Schema.NoSuchIndex", `There is no such fulltext schema index: ${name}`);
    }
    const part = index.definition.entity === "node" ? "nodes" : "relationships";
    return searchText(index, query, this, this.#touched(part));
  }

  #seeker(): Seeker {
    return { view: this, epoch: this.epoch, versions: this.#versions, own: this.#owner };
  }

  #merged(
    inBase: IdCursor,
    part: "nodes" | "relationships",
    { from, to }: IdRange,
    isThere: (id: number) => boolean,
  ): IdCursor {
    return this.clean
      ? inBase
      : new MergedCursor(inBase, this.#touched(part), (id) => id >= from && id < to && isThere(id));
  }

  /** Up to which commit the node is seen. */
  limitOfNode(node: number): number {
    return this.#owner.seesNewestOfLocked && this.#owner.holdsNode(node) ? NEWEST : this.epoch;
  }

  /** What happens at a locked node is read as last committed too, so that MERGE finds what it waited for. */
  #limitOfRelationship(relationship: number): number {
    if (!this.#owner.seesNewestOfLocked || this.#owner.isUntouched) {
      return this.epoch;
    }
    const held =
      this.#owner.holdsRelationship(relationship) ||
      this.#owner.holdsNode(this.startOf(relationship)) ||
      this.#owner.holdsNode(this.endOf(relationship));
    return held ? NEWEST : this.epoch;
  }

  #newestOfNode(node: number): NodeChange | undefined {
    const own = this.#owner.writes.nodes.get(node);
    if (own !== undefined || this.#versions.isFolded) {
      return own;
    }
    const limit = this.limitOfNode(node);
    return (
      newestWithin(this.#versions.active.nodes.get(node), limit) ??
      newestWithin(this.#versions.sealed?.nodes.get(node), limit)
    );
  }

  /** Every change of the node that this view sees, newest first. */
  #nodeChanges(node: number): readonly NodeChange[] {
    const own = this.#owner.writes.nodes.get(node);
    if (this.#versions.isFolded) {
      return own === undefined ? NOTHING : [own];
    }
    const { active, sealed } = this.#versions;
    return allWithin(own, active.nodes.get(node), sealed?.nodes.get(node), this.limitOfNode(node));
  }

  #relationshipChanges(relationship: number): readonly RelationshipChange[] {
    const own = this.#owner.writes.relationships.get(relationship);
    if (this.#versions.isFolded) {
      return own === undefined ? NOTHING : [own];
    }
    const { active, sealed } = this.#versions;
    return allWithin(
      own,
      active.relationships.get(relationship),
      sealed?.relationships.get(relationship),
      this.#limitOfRelationship(relationship),
    );
  }

  /** Type and ends are the same in every change of a relationship. */
  #anyChange(relationship: number): RelationshipChange | undefined {
    return (
      this.#owner.writes.relationships.get(relationship) ??
      this.#versions.active.relationships.get(relationship) ??
      this.#versions.sealed?.relationships.get(relationship)
    );
  }

  /** Whether the relationship is there for who sees commits up to `limit`. */
  isVisible(relationship: number, limit: number): boolean {
    const own = this.#owner.writes.relationships.get(relationship);
    if (own !== undefined) {
      return !own.deleted;
    }
    if (this.#versions.isFolded) {
      return this.#graph.relationships.exists(relationship);
    }
    const { active, sealed } = this.#versions;
    const change =
      newestWithin(active.relationships.get(relationship), limit) ??
      newestWithin(sealed?.relationships.get(relationship), limit);
    return change === undefined ? this.#graph.relationships.exists(relationship) : !change.deleted;
  }

  #difference(part: "nodes" | "relationships", of: (id: number) => number): number {
    let sum = 0;
    for (const id of this.#touched(part)) {
      sum += of(id);
    }
    return sum;
  }

  #touched(part: "nodes" | "relationships"): Set<number> {
    return new Set([
      ...this.#owner.writes[part].keys(),
      ...this.#versions.active[part].keys(),
      ...(this.#versions.sealed?.[part].keys() ?? []),
    ]);
  }

  /** Which of a node's relationships came or went since the base. */
  adjacencyChanges(node: number, list: keyof AdjacencyChange): readonly RelationshipChange[] {
    const own = this.#owner.writes.adjacency.get(node)?.[list] ?? NOTHING;
    if (this.#versions.isFolded) {
      return own;
    }
    const active = this.#versions.active.adjacency.get(node)?.[list] ?? NOTHING;
    const sealed = this.#versions.sealed?.adjacency.get(node)?.[list] ?? NOTHING;
    return active.length === 0 && sealed.length === 0 ? own : [...own, ...active, ...sealed];
  }
}

const NOTHING: readonly never[] = [];
const NO_BITS = new Uint32Array();
const EVERY_ID: IdRange = { from: 0, to: 2 ** 31 - 32 };
