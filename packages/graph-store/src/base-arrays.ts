import { type ColumnKind } from "./columns/column-kind.ts";
import { type StoreArray } from "./memory/shared-array.ts";

/**
 * The flat arrays of the committed graph, for generated code. They hold exactly what a view sees while its `clean` is
 * true; take the arrays anew for each view, never keep them beyond its release. An index beyond the end of an array
 * reads as "nothing there" (`undefined`), so compare with the array's own length before a hot loop.
 */
export interface BaseArrays {
  readonly nodes: BaseNodes;
  readonly relationships: BaseRelationships;
  readonly outgoing: BaseAdjacency;
  readonly incoming: BaseAdjacency;
  readonly nodeProperties: BaseProperties;
  readonly relationshipProperties: BaseProperties;
  readonly strings: BaseStrings;
}

export interface BaseNodes {
  readonly count: number;
  readonly idLimit: number;
  /** -1 where there is no node. */
  readonly labelSets: Int32Array;
  /** One bit per node, 32 to a word, low bit first; `undefined` when no node ever had the label. */
  labelBitmap(label: number): Uint32Array | undefined;
  labelCount(label: number): number;
}

export interface BaseRelationships {
  readonly count: number;
  readonly idLimit: number;
  /** -1 where there is no relationship. */
  readonly types: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  typeCount(type: number): number;
  /** How many relationships of the type start and end at the same node. */
  loopCount(type: number): number;
}

export interface BaseAdjacency {
  /** `undefined` when there never was a relationship of the type. */
  list(type: number): BaseAdjacencyList | undefined;
  typesOf(node: number): readonly number[];
}

/** Of node n: `relationships` and `neighbours` from `starts[s]`, `lengths[s]` of them; s is n when `dense`, else `slotOf(n)`. */
export interface BaseAdjacencyList {
  readonly dense: boolean;
  readonly starts: Uint32Array;
  readonly lengths: Int32Array;
  readonly relationships: Int32Array;
  readonly neighbours: Int32Array;
  /** -1 when the node has none. */
  slotOf(node: number): number;
  degree(node: number): number;
}

export interface BaseProperties {
  /** `undefined` when no entity ever had the key. */
  column(key: number): BaseColumn | undefined;
  keysOf(entity: number): readonly number[];
}

/** `values[entity]` when `dense`; what an element means and which one is "no value" says columns/column-kind.ts. */
export interface BaseColumn {
  readonly kind: ColumnKind;
  readonly dense: boolean;
  readonly values: StoreArray;
  readonly count: number;
}

export interface BaseStrings {
  readonly codeLimit: number;
  /** The code that stands for `text` in columns of strings, 0 when no property holds it. */
  find(text: string): number;
  textOf(code: number): string;
}
