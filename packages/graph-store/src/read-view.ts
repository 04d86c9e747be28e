import { type ValueRange } from "./indexes/order-key.ts";
import { type EntityKind } from "./schema/definitions.ts";
import { type BaseArrays } from "./base-arrays.ts";
import { type TextHit } from "./view/text-search.ts";
import { type PropertyValue } from "./values/property-value.ts";

/** Which relationships of a node: those that leave it, those that reach it, both (a loop is met once). */
export type Direction = "out" | "in" | "both";

/** Ids in no particular order; `next` gives -1 at the end. */
export interface IdCursor {
  next(): number;
}

/** The ids from `from` on and below `to`, both multiples of 32: whole words of a bitmap. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

/** Filled by {@link ReadView.expand}; grown by it, reused by the caller, one per loop level. */
export interface ExpandBuffer {
  relationships: Int32Array;
  neighbours: Int32Array;
}

/**
 * What one statement sees: the committed state as of its start plus its own transaction's writes. Entities that the
 * transaction has locked are read as last committed, so that an update never builds on a value that is gone.
 *
 * Ids are dense non-negative integers; an id is never given out again while a view could still see its former owner.
 * Tokens (labels, relationship types, property keys) are ids of {@link TokenTables}.
 */
export interface ReadView {
  /**
   * Whether `base` alone is what this view sees. Turns false with the transaction's first write or lock and never back:
   * a reading statement asks once, one that writes asks again after each updating clause.
   */
  readonly clean: boolean;
  readonly base: BaseArrays;

  /** Every node id is below this. */
  readonly nodeIdLimit: number;
  readonly relationshipIdLimit: number;

  nodeExists(node: number): boolean;
  relationshipExists(relationship: number): boolean;
  /** Live nodes, or those with `label`; O(1) without writes of one's own. */
  nodeCount(label?: number): number;
  relationshipCount(type?: number): number;

  hasLabel(node: number, label: number): boolean;
  labelsOf(node: number): readonly number[];
  nodeProperty(node: number, key: number): PropertyValue | undefined;
  nodePropertyKeys(node: number): readonly number[];

  typeOf(relationship: number): number;
  startOf(relationship: number): number;
  endOf(relationship: number): number;
  relationshipProperty(relationship: number, key: number): PropertyValue | undefined;
  relationshipPropertyKeys(relationship: number): readonly number[];

  /** `types` empty means any type. */
  degree(node: number, direction: Direction, types: readonly number[]): number;
  /** Writes the relationships of `node` and what lies at their other end into `buffer`; returns how many. */
  expand(node: number, direction: Direction, types: readonly number[], buffer: ExpandBuffer): number;

  /** Those within the range; all when there is none. */
  allNodes(range?: IdRange): IdCursor;
  nodesWithLabel(label: number, range?: IdRange): IdCursor;
  allRelationships(range?: IdRange): IdCursor;

  /**
   * Entities with the label (or of the type) whose properties have exactly these values; ascending. By an index when
   * there is one that this view can use, else by looking at all of them.
   */
  entitiesWithValues(
    entity: EntityKind,
    token: number,
    keys: readonly number[],
    values: readonly PropertyValue[],
  ): IdCursor;
  /**
   * Entities whose property may be in the range, ascending: all that are in it, and perhaps some just outside.
   *
   * @param all  also those with values that don't compare with the range's (they are an error in 2.3)
   */
  entitiesInRange(entity: EntityKind, token: number, key: number, range: ValueRange, all: boolean): IdCursor;
  /**
   * What a query of words finds by a full-text index, best first.
   *
   * @throws StoreError  when there is no such index, or the query cannot be read
   */
  searchText(index: string, query: string): readonly TextHit[];
  /** Entities that have all these properties; ascending. */
  entitiesWithProperties(entity: EntityKind, token: number, keys: readonly number[]): IdCursor;
}

/** A name table that only grows: an id keeps its name for the life of the store. */
export interface TokenTable {
  /** The id of `name`, or -1 when it was never used. */
  find(name: string): number;
  nameOf(id: number): string;
  readonly size: number;
}

export interface TokenTables {
  readonly labels: TokenTable;
  readonly relationshipTypes: TokenTable;
  readonly propertyKeys: TokenTable;
}
