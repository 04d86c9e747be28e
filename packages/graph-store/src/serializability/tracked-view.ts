import { type BaseArrays } from "../base-arrays.ts";
import { type ValueRange } from "../indexes/order-key.ts";
import { type Direction, type ExpandBuffer, type IdCursor, type IdRange, type ReadView } from "../read-view.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type Catalog } from "../indexes/catalog.ts";
import { type GraphView } from "../view/graph-view.ts";
import { type TextHit } from "../view/text-search.ts";
import { type ReadSet } from "./read-set.ts";

/**
 * A view that notes down what it is asked. It is never clean, so that generated code asks it rather than the arrays
 * below; that, and the notes, are what serializable transactions cost, and nobody else pays for them.
 */
export class TrackedView implements ReadView {
  readonly clean = false;
  readonly #view: GraphView;
  readonly #reads: ReadSet;
  readonly #catalog: Catalog;

  constructor(view: GraphView, reads: ReadSet, catalog: Catalog) {
    this.#view = view;
    this.#reads = reads;
    this.#catalog = catalog;
  }

  get epoch(): number {
    return this.#view.epoch;
  }

  get base(): BaseArrays {
    return this.#view.base;
  }

  get nodeIdLimit(): number {
    return this.#view.nodeIdLimit;
  }

  get relationshipIdLimit(): number {
    return this.#view.relationshipIdLimit;
  }

  nodeExists(node: number): boolean {
    this.#reads.addEntity("node", node);
    return this.#view.nodeExists(node);
  }

  relationshipExists(relationship: number): boolean {
    this.#reads.addEntity("relationship", relationship);
    return this.#view.relationshipExists(relationship);
  }

  nodeCount(label?: number): number {
    this.#scanNodes(label);
    return this.#view.nodeCount(label);
  }

  relationshipCount(type?: number): number {
    if (type === undefined) {
      this.#reads.scanned.relationship = true;
    } else {
      this.#reads.types.add(type);
    }
    return this.#view.relationshipCount(type);
  }

  hasLabel(node: number, label: number): boolean {
    this.#reads.addEntity("node", node);
    return this.#view.hasLabel(node, label);
  }

  labelsOf(node: number): readonly number[] {
    this.#reads.addEntity("node", node);
    return this.#view.labelsOf(node);
  }

  nodeProperty(node: number, key: number): PropertyValue | undefined {
    this.#reads.addEntity("node", node);
    return this.#view.nodeProperty(node, key);
  }

  nodePropertyKeys(node: number): readonly number[] {
    this.#reads.addEntity("node", node);
    return this.#view.nodePropertyKeys(node);
  }

  /** Type and ends never change, so they need no note. */
  typeOf(relationship: number): number {
    return this.#view.typeOf(relationship);
  }

  startOf(relationship: number): number {
    return this.#view.startOf(relationship);
  }

  endOf(relationship: number): number {
    return this.#view.endOf(relationship);
  }

  relationshipProperty(relationship: number, key: number): PropertyValue | undefined {
    this.#reads.addEntity("relationship", relationship);
    return this.#view.relationshipProperty(relationship, key);
  }

  relationshipPropertyKeys(relationship: number): readonly number[] {
    this.#reads.addEntity("relationship", relationship);
    return this.#view.relationshipPropertyKeys(relationship);
  }

  degree(node: number, direction: Direction, types: readonly number[]): number {
    this.#reads.addAdjacency(node, direction, types);
    return this.#view.degree(node, direction, types);
  }

  expand(node: number, direction: Direction, types: readonly number[], buffer: ExpandBuffer): number {
    this.#reads.addAdjacency(node, direction, types);
    return this.#view.expand(node, direction, types, buffer);
  }

  allNodes(range?: IdRange): IdCursor {
    this.#scanNodes(undefined);
    return this.#view.allNodes(range);
  }

  nodesWithLabel(label: number, range?: IdRange): IdCursor {
    this.#scanNodes(label);
    return this.#view.nodesWithLabel(label, range);
  }

  allRelationships(range?: IdRange): IdCursor {
    this.#reads.scanned.relationship = true;
    return this.#view.allRelationships(range);
  }

  entitiesWithValues(
    entity: EntityKind,
    token: number,
    keys: readonly number[],
    values: readonly PropertyValue[],
  ): IdCursor {
    this.#reads.values.addValues(entity, { token, keys }, values);
    return this.#view.entitiesWithValues(entity, token, keys, values);
  }

  entitiesInRange(entity: EntityKind, token: number, key: number, range: ValueRange, all: boolean): IdCursor {
    const ids = { token, keys: [key] };
    if (all) {
      this.#reads.values.addAny(entity, ids);
    }
    this.#reads.values.addRange(entity, ids, range);
    return this.#view.entitiesInRange(entity, token, key, range, all);
  }

  entitiesWithProperties(entity: EntityKind, token: number, keys: readonly number[]): IdCursor {
    this.#reads.values.addAny(entity, { token, keys });
    return this.#view.entitiesWithProperties(entity, token, keys);
  }

  searchText(name: string, query: string): readonly TextHit[] {
    const entity = this.#catalog.findText(name)?.definition.entity;
    if (entity !== undefined) {
      this.#reads.searched[entity] = true;
    }
    return this.#view.searchText(name, query);
  }

  #scanNodes(label: number | undefined): void {
    if (label === undefined) {
      this.#reads.scanned.node = true;
    } else {
      this.#reads.labels.add(label);
    }
  }
}
