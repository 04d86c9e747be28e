import { type ProcedureDefinition } from "../procedures/procedure.ts";
import { type BoundAggregate, type BoundExpression } from "../binder/bound-expression.ts";
import {
  type Assignment,
  type CreatePattern,
  type Direction,
  type PathLength,
  type SetItem,
  type SortKey,
} from "../binder/bound-query.ts";
import { type Variable } from "../binder/variable.ts";

/**
 * One step of a plan; `source` is where its rows come from. A plan is a chain: what other engines draw as a join with
 * a scan on its right side is here a scan that runs once per row of its source. Only what has an inner plan of its own
 * (Optional, Merge, …) branches; an inner plan begins with an {@link Argument}.
 */
export type Operator =
  | Argument
  | AllNodesScan
  | NodeByLabelScan
  | NodeIndexSeek
  | EntityByIdSeek
  | AllRelationshipsScan
  | Expand
  | ExpandIntersect
  | CountExpand
  | VariableLengthExpand
  | ProjectEndpoints
  | ShortestPath
  | Filter
  | Projection
  | Aggregation
  | Distinct
  | Sort
  | Top
  | Skip
  | Limit
  | Unwind
  | Union
  | Join
  | Optional
  | Apply
  | Eager
  | Gather
  | Create
  | Merge
  | SetProperties
  | Delete
  | Foreach
  | ProcedureCall
  | LoadCsv
  | ProduceResults
  | EmptyResult;

/** The row that is there before anything is read: the outer row of an inner plan, else one empty row. */
export interface Argument {
  readonly kind: "Argument";
}

interface Unary<Kind extends string> {
  readonly kind: Kind;
  readonly source: Operator;
}

export interface AllNodesScan extends Unary<"AllNodesScan"> {
  readonly node: Variable;
  /** Of a range of ids: below a {@link Gather}. */
  readonly partitioned?: boolean;
}

export interface NodeByLabelScan extends Unary<"NodeByLabelScan"> {
  readonly partitioned?: boolean;
  readonly node: Variable;
  readonly label: string;
}

/** Nodes that an index finds; what it asks is judged by the view, so the plan stays right when the index is gone. */
export interface NodeIndexSeek extends Unary<"NodeIndexSeek"> {
  readonly node: Variable;
  readonly label: string;
  readonly properties: readonly string[];
  readonly unique: boolean;
  readonly lookup: IndexLookup;
  /** Predicates that hold for every row and are not judged again. */
  readonly asked: readonly BoundExpression[];
}

export type IndexLookup =
  /** One value per property. */
  | { readonly kind: "values"; readonly values: readonly BoundExpression[] }
  | { readonly kind: "any"; readonly list: BoundExpression }
  /** Ends included; `all` brings what does not compare with them, too. */
  | {
      readonly kind: "range";
      readonly low: BoundExpression | undefined;
      readonly high: BoundExpression | undefined;
      readonly all: boolean;
    }
  | { readonly kind: "prefix"; readonly prefix: BoundExpression }
  | { readonly kind: "exists" };

/** Every entity whose id is in the list; `strict` refuses ids that are not there (START). */
export interface EntityByIdSeek extends Unary<"EntityByIdSeek"> {
  readonly entity: "node" | "relationship";
  readonly variable: Variable;
  readonly ids: BoundExpression;
  readonly strict: boolean;
}

export interface AllRelationshipsScan extends Unary<"AllRelationshipsScan"> {
  readonly partitioned?: boolean;
  readonly relationship: Variable;
}

/** What can be split by ranges of ids. */
export type PartitionedScan = AllNodesScan | NodeByLabelScan | AllRelationshipsScan;

/** From a node that is there along one relationship; `into` when the other end is there, too. */
export interface Expand extends Unary<"Expand"> {
  readonly from: Variable;
  readonly relationship: Variable;
  readonly to: Variable;
  /** As seen from `from`. */
  readonly direction: Direction;
  readonly types: readonly string[];
  readonly into: boolean;
}

/** From several nodes that are there to one that all of them lead to: one row per choice of relationships. */
export interface ExpandIntersect extends Unary<"ExpandIntersect"> {
  readonly to: Variable;
  /** Two or more. */
  readonly legs: readonly IntersectedLeg[];
}

export type IntersectedLeg = Pick<Expand, "from" | "relationship" | "direction" | "types">;

/**
 * How many rows an {@link Expand} with a filter on what it finds would give; a row without any is dropped. Stands below
 * an {@link Aggregation} that counts by `count`.
 */
export interface CountExpand extends Unary<"CountExpand"> {
  readonly from: Variable;
  readonly relationship: Variable;
  readonly to: Variable;
  readonly direction: Direction;
  readonly types: readonly string[];
  /** On `relationship` and `to` alone, and each time the same. */
  readonly predicates: readonly BoundExpression[];
  /** Relationships met before; one is met again, and does not count, where `from` is `node`. */
  readonly meetings: readonly { readonly relationship: Variable; readonly node: Variable }[];
  /** Whether the same `from` is expected many times, so that its count is worth keeping. */
  readonly repeats: boolean;
  readonly count: Variable;
}

/** Along walks that use no relationship twice, nor any of `distinctFrom`. */
export interface VariableLengthExpand extends Unary<"VariableLengthExpand"> {
  readonly from: Variable;
  /** The list of relationships, in the order of the pattern. */
  readonly relationships: Variable;
  readonly to: Variable;
  readonly direction: Direction;
  readonly types: readonly string[];
  readonly length: PathLength;
  readonly into: boolean;
  /** What must hold of each relationship: a walk ends before the first of which it does not. */
  readonly elements: readonly PathElementCondition[];
  /** The pattern was written from `to`: the list is turned round. */
  readonly reversed: boolean;
  /** Whether a relationship may come again (REPEATABLE ELEMENTS). */
  readonly repeatable: boolean;
  /** Whether each end is wanted once per row of the source, and nothing else of the walks. */
  readonly distinctEnds?: boolean;
}

/** The ends of a relationship, or of a list of them, that is there already. */
export interface ProjectEndpoints extends Unary<"ProjectEndpoints"> {
  readonly relationship: Variable;
  readonly from: Variable;
  readonly to: Variable;
  readonly fromKnown: boolean;
  readonly toKnown: boolean;
  readonly direction: Direction;
  readonly types: readonly string[];
  /** When the variable is a list. */
  readonly length: PathLength | undefined;
}

/** The shortest walks between two nodes that are there. */
export interface ShortestPath extends Unary<"ShortestPath"> {
  readonly path: Variable;
  readonly relationships: Variable;
  readonly from: Variable;
  readonly to: Variable;
  readonly direction: Direction;
  readonly types: readonly string[];
  readonly length: PathLength;
  readonly all: boolean;
  /** What must hold of every node or relationship on the way: the search goes around the others. */
  readonly elements: readonly PathElementCondition[];
  /** What must hold of a path: the shortest of those is wanted, not the shortest if it holds. */
  readonly predicates: readonly BoundExpression[];
}

/** `all(x IN nodes(p) WHERE …)`, `none(…)`, `all(x IN relationships(p) WHERE …)`. */
export interface PathElementCondition {
  readonly entity: "node" | "relationship";
  readonly variable: Variable;
  readonly where: BoundExpression;
  /** What the condition must come to. */
  readonly wanted: boolean;
}

export interface Filter extends Unary<"Filter"> {
  readonly predicates: readonly BoundExpression[];
}

export interface Projection extends Unary<"Projection"> {
  readonly items: readonly Assignment[];
}

export interface Aggregation extends Unary<"Aggregation"> {
  readonly keys: readonly Assignment[];
  readonly aggregates: readonly { readonly variable: Variable; readonly expression: BoundAggregate }[];
  /** How many rows each row of the source stands for; one when not said. */
  readonly weight?: Variable;
  /** Below a {@link Gather}, what a range comes to, to be merged; above it, the merging. */
  readonly stage?: "partial" | "final";
}

/** One row for each combination of the columns. */
export interface Distinct extends Unary<"Distinct"> {
  readonly columns: readonly Variable[];
}

export interface Sort extends Unary<"Sort"> {
  readonly keys: readonly SortKey[];
}

/** Sort and Limit in one: never keeps more rows than it gives. */
export interface Top extends Unary<"Top"> {
  readonly keys: readonly SortKey[];
  /** Rows to keep: LIMIT plus SKIP. */
  readonly counts: readonly BoundExpression[];
}

export interface Skip extends Unary<"Skip"> {
  readonly count: BoundExpression;
}

export interface Limit extends Unary<"Limit"> {
  readonly count: BoundExpression;
}

export interface Unwind extends Unary<"Unwind"> {
  readonly list: BoundExpression;
  readonly variable: Variable;
}

/** All rows of each part; a part's columns become `columns` in order. */
export interface Union {
  readonly kind: "Union";
  readonly parts: readonly { readonly plan: Operator; readonly columns: readonly Variable[] }[];
  readonly columns: readonly Variable[];
}

/**
 * The rows of `inner` beside each row of the source; `inner` does not depend on the source, runs once, and its rows are
 * kept. With keys only those whose key may equal the source's: by hash, as grouping tells values apart, nulls never.
 */
export interface Join extends Unary<"Join"> {
  readonly inner: Operator;
  readonly introduces: readonly Variable[];
  /** At most one. */
  readonly keys: readonly { readonly outer: BoundExpression; readonly inner: BoundExpression }[];
}

/** The rows of `inner`, or one with nulls in `introduces` when there are none. */
export interface Optional extends Unary<"Optional"> {
  readonly inner: Operator;
  readonly introduces: readonly Variable[];
}

/** The rows of `inner` for each row of the source; without columns `inner` runs for its effects alone. */
export interface Apply extends Unary<"Apply"> {
  readonly inner: Operator;
  readonly columns: readonly Variable[];
  readonly forEffects: boolean;
}

/** Takes all rows before it gives the first, so that what follows cannot change what is still to be read. */
export interface Eager extends Unary<"Eager"> {
  readonly reason: string;
}

/**
 * What the source gives for each range of the ids of its partitioned scan, in the order of the ranges. The ranges are run
 * in several threads at once.
 */
export interface Gather extends Unary<"Gather"> {}

export interface Create extends Unary<"Create"> {
  readonly pattern: CreatePattern;
}

export interface Merge extends Unary<"Merge"> {
  readonly inner: Operator;
  readonly introduces: readonly Variable[];
  readonly create: CreatePattern;
  readonly onCreate: readonly SetItem[];
  readonly onMatch: readonly SetItem[];
  /** Nodes to be made that unique values may identify: these values are locked before any is made. */
  readonly unique: readonly { readonly variable: Variable; readonly labels: readonly string[] }[];
  /** CREATE UNIQUE: the pattern as messages show it; more than one match is an error. */
  readonly onlyMatch: string | undefined;
}

/** What must still hold of an entity whose lock had to be waited for (planner/lock-guards.ts). */
export interface LockGuard {
  readonly variable: Variable;
  readonly predicates: readonly BoundExpression[];
}

export interface SetProperties extends Unary<"SetProperties"> {
  readonly guards: readonly LockGuard[];
  readonly items: readonly SetItem[];
}

export interface Delete extends Unary<"Delete"> {
  readonly guards: readonly LockGuard[];
  readonly expressions: readonly BoundExpression[];
  readonly detach: boolean;
}

export interface Foreach extends Unary<"Foreach"> {
  readonly variable: Variable;
  readonly list: BoundExpression;
  readonly inner: Operator;
}

export interface ProcedureCall extends Unary<"ProcedureCall"> {
  readonly procedure: ProcedureDefinition;
  readonly arguments: readonly BoundExpression[];
  readonly yields: readonly { readonly index: number; readonly variable: Variable }[];
}

/** The rows of a CSV file for each row of the source. */
export interface LoadCsv extends Unary<"LoadCsv"> {
  readonly url: BoundExpression;
  readonly variable: Variable;
  readonly withHeaders: boolean;
  /** One character. */
  readonly fieldTerminator: string;
  /** USING PERIODIC COMMIT: what was written is committed after so many rows. */
  readonly commitEvery: number | undefined;
}

/** The columns of RETURN, to the consumer. */
export interface ProduceResults extends Unary<"ProduceResults"> {
  readonly columns: readonly Variable[];
}

/** Drops every row: a statement without RETURN. */
export interface EmptyResult extends Unary<"EmptyResult"> {}
