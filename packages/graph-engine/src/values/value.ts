import { type PointValue, type TemporalValue, type WholeFloat } from "@trefoil/graph-store";

/** A node by its id; what it holds is read through the statement's view. */
export class NodeValue {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
}

/** A relationship by its id; type, ends and properties are read through the statement's view. */
export class RelationshipValue {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
}

/** A walk: `nodes` has one element more than `relationships`, and `relationships[i]` joins `nodes[i]` and `nodes[i + 1]`. */
export class PathValue {
  readonly nodes: readonly number[];
  readonly relationships: readonly number[];

  constructor(nodes: readonly number[], relationships: readonly number[]) {
    this.nodes = nodes;
    this.relationships = relationships;
  }
}

export type ListValue = readonly Value[];
export type MapValue = ReadonlyMap<string, Value>;
/** INTEGER or FLOAT: see decisions/0001 for which is which. */
export type NumberValue = number | bigint | WholeFloat;
/** A truth value of three-valued logic. */
export type Ternary = boolean | null;

/** What an expression can give at run time. */
export type Value =
  | null
  | boolean
  | NumberValue
  | string
  | ListValue
  | MapValue
  | NodeValue
  | RelationshipValue
  | PathValue
  | TemporalValue
  | PointValue;
