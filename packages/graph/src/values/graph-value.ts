import { type PointValue, type TemporalValue, type WholeFloat } from "@trefoil/graph-store";

/** A node as it was when its row was read. */
export class Node {
  readonly id: number;
  readonly labels: readonly string[];
  readonly properties: GraphMap;

  constructor(id: number, labels: readonly string[], properties: GraphMap) {
    this.id = id;
    this.labels = labels;
    this.properties = properties;
  }
}

/** A relationship as it was when its row was read. */
export class Relationship {
  readonly id: number;
  readonly type: string;
  /** Ids of the nodes it leaves and reaches. */
  readonly start: number;
  readonly end: number;
  readonly properties: GraphMap;

  constructor(id: number, type: string, start: number, end: number, properties: GraphMap) {
    this.id = id;
    this.type = type;
    this.start = start;
    this.end = end;
    this.properties = properties;
  }
}

/** A walk: one node more than relationships, each of which joins the nodes beside it. */
export class Path {
  readonly nodes: readonly Node[];
  readonly relationships: readonly Relationship[];

  constructor(nodes: readonly Node[], relationships: readonly Relationship[]) {
    this.nodes = nodes;
    this.relationships = relationships;
  }
}

/** A map of the language as a plain object. */
export interface GraphMap {
  readonly [name: string]: GraphValue;
}

/**
 * What a column can hold. An INTEGER is a `number` while it is a safe integer, else a `bigint`; a FLOAT is a `number`.
 * Dates, times, durations and points keep their own classes; `textOf` writes them.
 */
export type GraphValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly GraphValue[]
  | GraphMap
  | Node
  | Relationship
  | Path
  | TemporalValue
  | PointValue;

/**
 * What a parameter may be. A whole `number` is an INTEGER, as in JSON; `float(1)` is the FLOAT 1.0. A `Date` is a
 * DATETIME in UTC, `undefined` is null.
 */
export type GraphParameter =
  | undefined
  | GraphValue
  | WholeFloat
  | Date
  | ReadonlyMap<string, GraphParameter>
  | readonly GraphParameter[]
  | { readonly [name: string]: GraphParameter };

export type GraphParameters = Readonly<Record<string, GraphParameter>>;
