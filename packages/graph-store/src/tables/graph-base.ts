import { must } from "@trefoil/base";
import { Adjacency } from "../adjacency/adjacency.ts";
import { type Adjacencies, appendRelationships, idsByType } from "../adjacency/append-relationships.ts";
import { PropertyTable } from "../columns/property-table.ts";
import { StringDictionary } from "../columns/string-dictionary.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { atOnce, type Steps } from "../memory/steps.ts";
import {
  type AdjacencyChange,
  type ChangeSet,
  type NodeChange,
  type PropertyChanges,
  type RelationshipChange,
} from "../versions/changes.ts";
import { oldestFirst } from "../versions/version-layer.ts";
import { LabelTypeCounts } from "./label-type-counts.ts";
import { NodeTable } from "./node-table.ts";
import { RelationshipCounts } from "./relationship-counts.ts";
import { RelationshipTable } from "./relationship-table.ts";

/** All that is known of relationships but their counts: most of a graph, and of no use to who asks for nodes alone. */
interface Links extends Adjacencies {
  readonly relationships: RelationshipTable;
  readonly properties: PropertyTable;
}

/**
 * The committed graph as of one epoch, in flat arrays. It is written only by {@link GraphBase.apply}, which runs when
 * no view could read an older state of the entities it touches. Arrays that have to grow are replaced, so a reader that
 * holds one goes on seeing what it saw. Relationships are read when somebody asks for them (decisions/0197).
 */
export class GraphBase {
  readonly strings: StringDictionary;
  readonly nodes: NodeTable;
  readonly nodeProperties: PropertyTable;
  readonly labelTypeCounts: LabelTypeCounts;
  readonly relationshipCounts: RelationshipCounts;
  #links: Links | undefined;
  /** Where {@link GraphBase.#links} are read from when they are first asked for. */
  #source: SectionReader | undefined;
  /** As far as they are read. */
  #reading: Steps<Links> | undefined;

  constructor(source?: SectionReader) {
    if (source === undefined) {
      this.strings = new StringDictionary();
      this.nodes = new NodeTable();
      this.nodeProperties = new PropertyTable(this.strings);
      this.labelTypeCounts = new LabelTypeCounts();
      this.relationshipCounts = new RelationshipCounts();
      this.#links = {
        relationships: new RelationshipTable(this.relationshipCounts),
        outgoing: new Adjacency(),
        incoming: new Adjacency(),
        properties: new PropertyTable(this.strings),
      };
    } else {
      this.strings = StringDictionary.restore(source, "strings");
      this.nodes = NodeTable.restore(source);
      this.nodeProperties = atOnce(PropertyTable.restore(source, "nodeProperties", this.strings));
      this.labelTypeCounts = LabelTypeCounts.restore(source);
      this.relationshipCounts = RelationshipCounts.restore(source);
      this.#source = source;
    }
  }

  get relationships(): RelationshipTable {
    return (this.#links ?? this.#readRest()).relationships;
  }

  get outgoing(): Adjacency {
    return (this.#links ?? this.#readRest()).outgoing;
  }

  get incoming(): Adjacency {
    return (this.#links ?? this.#readRest()).incoming;
  }

  get relationshipProperties(): PropertyTable {
    return (this.#links ?? this.#readRest()).properties;
  }

  /** Whether relationships are read already: else who asks for one waits until all are. */
  get hasReadRelationships(): boolean {
    return this.#links !== undefined;
  }

  /**
   * Reads relationships in steps; nothing may be applied until it is done. Who asks for one on the way has the rest
   * read at once.
   */
  *readRelationships(): Steps<void> {
    while (this.#links === undefined) {
      this.#readMore();
      yield;
    }
  }

  /** Whether what is applied goes with relationships that are there. */
  needsRelationships({ nodes, relationships, adjacency }: ChangeSet): boolean {
    return relationships.size > 0 || adjacency.size > 0 || [...nodes.values()].some(changesCounts);
  }

  save(out: SectionWriter): void {
    this.strings.save(out, "strings");
    this.nodes.save(out);
    this.nodeProperties.save(out, "nodeProperties", this.nodes.idLimit);
    this.labelTypeCounts.save(out);
    this.relationshipCounts.save(out);
    this.relationships.save(out);
    this.relationshipProperties.save(out, "relationshipProperties", this.relationships.idLimit);
    if (out.isLent === true) {
      this.outgoing.save(out, "outgoing", this.nodes.idLimit);
      this.incoming.save(out, "incoming", this.nodes.idLimit);
    }
  }

  /** Nodes first, relationships between them next, then what goes: so counts by label and type see both ends. */
  apply(changes: ChangeSet): void {
    for (const newest of changes.nodes.values()) {
      this.#applyNode(newest);
    }
    for (const newest of changes.relationships.values()) {
      this.#applyRelationship(newest);
    }
    for (const [node, change] of changes.adjacency) {
      this.#applyRemovals(node, change);
    }
    for (const newest of changes.relationships.values()) {
      if (newest.deleted && this.relationships.exists(newest.relationship)) {
        this.relationshipProperties.clear(newest.relationship);
        this.relationships.delete(newest.relationship);
      }
    }
    for (const newest of changes.nodes.values()) {
      if (newest.deleted && this.nodes.exists(newest.node)) {
        this.#deleteNode(newest.node);
      }
    }
  }

  addLabel(node: number, label: number): void {
    if (this.#enterLabel(node, label)) {
      this.#countLabel(node, label, 1);
    }
  }

  createRelationship(relationship: number, start: number, type: number, end: number): void {
    this.relationships.create(relationship, start, type, end);
    this.outgoing.append(start, type, relationship, end);
    this.incoming.append(end, type, relationship, start);
    this.labelTypeCounts.addRelationship(this.nodes.labelsOf(start), type, this.nodes.labelsOf(end), 1);
  }

  #readRest(): Links {
    while (this.#links === undefined) {
      this.#readMore();
    }
    return this.#links;
  }

  #readMore(): void {
    const source = must(this.#source, "a base has its relationships or a place to read them from");
    this.#reading ??= this.#readLinks(source);
    try {
      const { done, value } = this.#reading.next();
      if (done === true) {
        this.#links = value;
        this.#source = undefined;
        this.#reading = undefined;
      }
    } catch (error) {
      // Whoever asks next is told as well.
      this.#reading = undefined;
      throw error;
    }
  }

  *#readLinks(source: SectionReader): Steps<Links> {
    const relationships = yield* RelationshipTable.restore(source, this.relationshipCounts);
    const properties = yield* PropertyTable.restore(source, "relationshipProperties", this.strings);
    return { relationships, properties, ...(yield* this.#readAdjacency(source, relationships)) };
  }

  /** Lists of neighbours are only lent; a checkpoint has none that are read. */
  *#readAdjacency(source: SectionReader, relationships: RelationshipTable): Steps<Adjacencies> {
    if (source.isLent === true) {
      return { outgoing: Adjacency.restore(source, "outgoing"), incoming: Adjacency.restore(source, "incoming") };
    }
    const adjacencies = { outgoing: new Adjacency(), incoming: new Adjacency() };
    for (const [type, ids] of yield* idsByType(yield* relationships.ids(), relationships.types)) {
      yield* appendRelationships(adjacencies, type, ids, relationships, this.nodes.idLimit);
    }
    return adjacencies;
  }

  #applyNode(newest: NodeChange): void {
    for (const change of oldestFirst(newest)) {
      const node = change.node;
      if (change.created) {
        this.nodes.create(node);
      }
      for (const label of change.labelsAdded) {
        if (change.created) {
          // Its relationships come later: there are none to count.
          this.#enterLabel(node, label);
        } else {
          this.addLabel(node, label);
        }
      }
      for (const label of change.labelsRemoved) {
        this.#removeLabel(node, label);
      }
      applyProperties(this.nodeProperties, node, change.properties);
    }
  }

  #applyRelationship(newest: RelationshipChange): void {
    for (const change of oldestFirst(newest)) {
      if (change.created) {
        this.createRelationship(change.relationship, change.start, change.type, change.end);
      }
      applyProperties(this.relationshipProperties, change.relationship, change.properties);
    }
  }

  /** All that went from a node at once: one pass over its run instead of one per relationship. */
  #applyRemovals(node: number, change: AdjacencyChange): void {
    for (const [type, gone] of byType(change.outRemoved)) {
      this.outgoing.remove(node, type, gone);
    }
    for (const [type, gone] of byType(change.inRemoved)) {
      this.incoming.remove(node, type, gone);
    }
    for (const removed of change.outRemoved) {
      this.labelTypeCounts.addRelationship(
        this.nodes.labelsOf(removed.start),
        removed.type,
        this.nodes.labelsOf(removed.end),
        -1,
      );
    }
  }

  #removeLabel(node: number, label: number): void {
    if (this.nodes.labelsOf(node).includes(label)) {
      this.nodes.removeLabel(node, label);
      this.#countLabel(node, label, -1);
    }
  }

  /** @returns whether the node did not have it */
  #enterLabel(node: number, label: number): boolean {
    const isNew = !this.nodes.labelsOf(node).includes(label);
    if (isNew) {
      this.nodes.addLabel(node, label);
    }
    return isNew;
  }

  #countLabel(node: number, label: number, sign: number): void {
    for (const type of this.outgoing.typesOf(node)) {
      this.labelTypeCounts.add(label, type, "out", sign * (this.outgoing.list(type)?.degree(node) ?? 0));
    }
    for (const type of this.incoming.typesOf(node)) {
      this.labelTypeCounts.add(label, type, "in", sign * (this.incoming.list(type)?.degree(node) ?? 0));
    }
  }

  #deleteNode(node: number): void {
    for (const label of this.nodes.labelsOf(node)) {
      this.#removeLabel(node, label);
    }
    this.nodeProperties.clear(node);
    this.nodes.delete(node);
  }
}

/** Whether the change goes with the relationships of a node that was there before: they are counted by its labels. */
function changesCounts({ created, deleted, labelsAdded, labelsRemoved }: NodeChange): boolean {
  return !created && (deleted || labelsAdded.length > 0 || labelsRemoved.length > 0);
}

function applyProperties(table: PropertyTable, entity: number, { keys, values }: PropertyChanges): void {
  for (let at = 0; at < keys.length; at++) {
    table.set(entity, keys[at] as number, values[at]);
  }
}

function byType(removed: readonly RelationshipChange[]): Map<number, Set<number>> {
  const groups = new Map<number, Set<number>>();
  for (const { relationship, type } of removed) {
    const group = groups.get(type);
    if (group === undefined) {
      groups.set(type, new Set([relationship]));
    } else {
      group.add(relationship);
    }
  }
  return groups;
}
