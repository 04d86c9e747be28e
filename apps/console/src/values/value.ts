import { type WholeFloat } from "./whole-float.ts";

/** What a cell of a result holds. Integers beyond 2^53 are bigints, floats without fraction are `WholeFloat`. */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | WholeFloat
  | readonly Value[]
  | MapValue
  | NodeValue
  | RelationshipValue
  | PathValue;

export type Properties = ReadonlyMap<string, Value>;

export interface MapValue {
  readonly kind: "map";
  readonly entries: Properties;
}

export interface NodeValue {
  readonly kind: "node";
  readonly id: string;
  readonly labels: readonly string[];
  readonly properties: Properties;
}

export interface RelationshipValue {
  readonly kind: "relationship";
  readonly id: string;
  readonly type: string;
  readonly startId: string;
  readonly endId: string;
  readonly properties: Properties;
}

/** Nodes and relationships in the order of the walk: one node more than relationships. */
export interface PathValue {
  readonly kind: "path";
  readonly nodes: readonly NodeValue[];
  readonly relationships: readonly RelationshipValue[];
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
