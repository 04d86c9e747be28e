import { type ProcedureDefinition } from "../procedures/procedure.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type Variable } from "./variable.ts";

/** A bound query; `columns` are the variables of its RETURN, empty when it has none. */
export interface BoundQuery {
  readonly kind: "Query";
  /** More than one are joined by UNION; each has its own columns of the same names. */
  readonly parts: readonly BoundPart[];
  readonly unionAll: boolean;
  readonly columns: readonly Variable[];
}

export interface BoundPart {
  readonly clauses: readonly BoundClause[];
  readonly columns: readonly Variable[];
}

export type BoundClause =
  | BoundMatch
  | BoundStart
  | BoundUnwind
  | BoundProjection
  | BoundCreate
  | BoundMerge
  | BoundSet
  | BoundDelete
  | BoundForeach
  | BoundProcedureCall
  | BoundSubqueryCall
  | BoundLoadCsv;

export type Direction = "out" | "in" | "both";

// ----------------------------------------------------------------------------------------------------------- patterns

/** What a MATCH looks for: `predicates` hold for every match, whether they come from the pattern or from WHERE. */
export interface BoundMatch {
  readonly kind: "Match";
  readonly optional: boolean;
  readonly pattern: BoundPattern;
  readonly predicates: readonly BoundExpression[];
  /** Relationships may repeat (`REPEATABLE ELEMENTS`). */
  readonly repeatable: boolean;
  /** Variables that come into being here, those without a name included. */
  readonly introduces: readonly Variable[];
  readonly hints: readonly BoundHint[];
}

/** `USING INDEX n:L(p)` and `USING SCAN n:L`: how to find a node. */
export interface BoundHint {
  readonly variable: Variable;
  readonly label: string;
  /** `undefined` for a scan. */
  readonly properties: readonly string[] | undefined;
}

export interface BoundPattern {
  readonly nodes: readonly Variable[];
  readonly relationships: readonly PatternRelationship[];
  readonly shortestPaths: readonly PatternShortestPath[];
  /** Variables computed from what was found or given: named paths, and entities out of values of unknown type. */
  readonly computed: readonly Assignment[];
  /** Casts of outer values that must be there before the search begins. */
  readonly casts: readonly Assignment[];
}

export interface PatternRelationship {
  /** A relationship, or a list of them when {@link length} is there. */
  readonly variable: Variable;
  readonly from: Variable;
  readonly to: Variable;
  readonly direction: Direction;
  /** Empty means any. */
  readonly types: readonly string[];
  readonly length: PathLength | undefined;
  /** The variable was there before: it says which relationship it must be. */
  readonly bound: boolean;
}

export interface PathLength {
  readonly minimum: number;
  /** `undefined` is unbounded. */
  readonly maximum: number | undefined;
}

export interface PatternShortestPath {
  readonly path: Variable | undefined;
  readonly relationship: PatternRelationship & { readonly length: PathLength };
  readonly all: boolean;
}

export interface Assignment {
  readonly variable: Variable;
  readonly expression: BoundExpression;
}

/** `START n=node(…)`: the graph is entered by id, one row per id. */
export interface BoundStart {
  readonly kind: "Start";
  readonly items: readonly {
    readonly variable: Variable;
    readonly entity: "node" | "relationship";
    /** `undefined` is all of them. */
    readonly ids: BoundExpression | undefined;
  }[];
  readonly predicates: readonly BoundExpression[];
}

// -------------------------------------------------------------------------------------------------------- projections

/** WITH or RETURN: group, compute, make distinct, sort, cut, filter, in this order. */
export interface BoundProjection {
  readonly kind: "Projection";
  readonly final: boolean;
  /** Grouping keys and aggregates, when there are aggregates. */
  readonly aggregation:
    | { readonly keys: readonly Assignment[]; readonly aggregates: readonly Assignment[] }
    | undefined;
  readonly items: readonly Assignment[];
  readonly distinct: boolean;
  readonly orderBy: readonly SortKey[];
  readonly skip: BoundExpression | undefined;
  readonly limit: BoundExpression | undefined;
  readonly predicates: readonly BoundExpression[];
  readonly columns: readonly Variable[];
}

export interface SortKey {
  readonly expression: BoundExpression;
  readonly descending: boolean;
}

export interface BoundUnwind {
  readonly kind: "Unwind";
  readonly list: BoundExpression;
  readonly variable: Variable;
}

// ------------------------------------------------------------------------------------------------------------ updates

export interface BoundCreate {
  readonly kind: "Create";
  /** `CREATE (n {maps})` with a parameter makes a node for each map of a list: it is unwound first. */
  readonly unwinds: readonly { readonly list: BoundExpression; readonly variable: Variable }[];
  readonly pattern: CreatePattern;
}

/** Entities in the order they are made; a pattern's bound nodes are not among them. */
export interface CreatePattern {
  readonly nodes: readonly {
    readonly variable: Variable;
    readonly labels: readonly string[];
    readonly properties: BoundExpression | undefined;
  }[];
  readonly relationships: readonly {
    readonly variable: Variable;
    readonly start: Variable;
    readonly end: Variable;
    readonly type: string;
    readonly properties: BoundExpression | undefined;
  }[];
  readonly casts: readonly Assignment[];
  readonly paths: readonly Assignment[];
}

export interface BoundMerge {
  readonly kind: "Merge";
  readonly match: BoundMatch;
  readonly create: CreatePattern;
  readonly onCreate: readonly SetItem[];
  readonly onMatch: readonly SetItem[];
  /** CREATE UNIQUE: the pattern as messages show it; what is found must be the only one. */
  readonly onlyMatch: string | undefined;
}

export interface BoundSet {
  readonly kind: "Set";
  readonly items: readonly SetItem[];
}

export type SetItem =
  /** A null value removes. */
  | {
      readonly kind: "Property";
      readonly subject: BoundExpression;
      readonly key: string;
      readonly value: BoundExpression;
    }
  /** REMOVE: nothing to do, nor to count, where there is no such property. */
  | { readonly kind: "RemoveProperty"; readonly subject: BoundExpression; readonly key: string }
  | {
      readonly kind: "DynamicProperty";
      readonly subject: BoundExpression;
      readonly key: BoundExpression;
      readonly value: BoundExpression;
    }
  | {
      readonly kind: "Properties";
      readonly subject: BoundExpression;
      readonly value: BoundExpression;
      readonly merge: boolean;
    }
  | {
      readonly kind: "Labels";
      readonly subject: BoundExpression;
      readonly labels: readonly string[];
      readonly remove: boolean;
    };

export interface BoundDelete {
  readonly kind: "Delete";
  readonly detach: boolean;
  readonly expressions: readonly BoundExpression[];
}

export interface BoundForeach {
  readonly kind: "Foreach";
  readonly variable: Variable;
  readonly list: BoundExpression;
  readonly clauses: readonly BoundClause[];
}

// -------------------------------------------------------------------------------------------------------------- calls

export interface BoundProcedureCall {
  readonly kind: "ProcedureCall";
  readonly procedure: ProcedureDefinition;
  readonly arguments: readonly BoundExpression[];
  /** The index of the procedure's output and the variable it becomes. */
  readonly yields: readonly { readonly index: number; readonly variable: Variable }[];
  readonly optional: boolean;
  readonly predicates: readonly BoundExpression[];
}

export interface BoundSubqueryCall {
  readonly kind: "SubqueryCall";
  readonly query: BoundQuery;
  readonly optional: boolean;
}

export interface BoundLoadCsv {
  readonly kind: "LoadCsv";
  readonly url: BoundExpression;
  readonly variable: Variable;
  readonly withHeaders: boolean;
  /** One character. */
  readonly fieldTerminator: string;
  /** USING PERIODIC COMMIT: a commit after so many rows. */
  readonly commitEvery: number | undefined;
}
