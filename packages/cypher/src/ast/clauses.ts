import {
  type Expression,
  type IntegerLiteral,
  type Name,
  type Parameter,
  type PropertyAccess,
  type StringLiteral,
  type Subscript,
  type Variable,
} from "./expressions.ts";
import { type Node } from "./node.ts";
import { type DynamicLabel, type LabelName, type PatternPart } from "./patterns.ts";
import { type Query } from "./statement.ts";

export type Clause =
  | Use
  | Start
  | Match
  | Unwind
  | With
  | Return
  | Finish
  | Create
  | Merge
  | SetClause
  | Remove
  | Delete
  | Foreach
  | LoadCsv
  | ProcedureCall
  | SubqueryCall;

/** `USE database`. */
export interface Use extends Node<"Use"> {
  readonly name: readonly string[];
}

export interface Start extends Node<"Start"> {
  readonly items: readonly StartItem[];
  readonly where: Expression | undefined;
}

export interface StartItem extends Node<"StartItem"> {
  readonly variable: Variable;
  readonly entity: EntityKind;
  readonly lookup: StartLookup;
}

export type EntityKind = "node" | "relationship";

export type StartLookup =
  | (Node<"ById"> & { readonly ids: readonly IntegerLiteral[] })
  /** `node({ids})`: one id, a list of ids or entities. */
  | (Node<"ByParameter"> & { readonly parameter: Parameter })
  | Node<"AllEntities">
  /** `node:index(key = value)`. */
  | (Node<"ByIndexKey"> & { readonly index: string; readonly key: string; readonly value: StringLiteral | Parameter })
  /** `node:index("lucene query")`. */
  | (Node<"ByIndexQuery"> & { readonly index: string; readonly query: StringLiteral | Parameter });

export interface Match extends Node<"Match"> {
  readonly optional: boolean;
  /** `MATCH REPEATABLE ELEMENTS` lifts relationship uniqueness; `DIFFERENT RELATIONSHIPS` is the default written out. */
  readonly repeatableElements: boolean;
  readonly pattern: readonly PatternPart[];
  readonly hints: readonly Hint[];
  readonly where: Expression | undefined;
}

export type Hint = UsingIndex | UsingScan | UsingJoin;

export interface UsingIndex extends Node<"UsingIndex"> {
  readonly variable: Variable;
  readonly label: Name;
  readonly properties: readonly Name[];
  /** `USING INDEX SEEK`. */
  readonly seek: boolean;
}

export interface UsingScan extends Node<"UsingScan"> {
  readonly variable: Variable;
  readonly label: Name;
}

export interface UsingJoin extends Node<"UsingJoin"> {
  readonly variables: readonly Variable[];
}

export interface Unwind extends Node<"Unwind"> {
  readonly list: Expression;
  readonly variable: Variable;
}

/** What `WITH`, `RETURN` and `YIELD` of `SHOW` share. */
export interface Projection extends Node<"Projection"> {
  readonly distinct: boolean;
  /** `*` comes first: `RETURN *, 1 AS x`. */
  readonly star: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip: Expression | undefined;
  readonly limit: Expression | undefined;
}

export interface ProjectionItem extends Node<"ProjectionItem"> {
  readonly expression: Expression;
  readonly alias: Variable | undefined;
  /** Source text of the expression verbatim, blanks included: the column's name where there is no alias. */
  readonly text: string;
}

export interface SortItem extends Node<"SortItem"> {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface With extends Node<"With"> {
  readonly projection: Projection;
  readonly where: Expression | undefined;
}

export interface Return extends Node<"Return"> {
  readonly projection: Projection;
}

export interface Finish extends Node<"Finish"> {}

export interface Create extends Node<"Create"> {
  /** `CREATE UNIQUE`. */
  readonly unique: boolean;
  readonly pattern: readonly PatternPart[];
}

export interface Merge extends Node<"Merge"> {
  readonly pattern: PatternPart;
  readonly actions: readonly MergeAction[];
}

export interface MergeAction extends Node<"MergeAction"> {
  readonly on: "create" | "match";
  readonly items: readonly SetItem[];
}

export interface SetClause extends Node<"Set"> {
  readonly items: readonly SetItem[];
}

export type SetItem = SetProperty | SetProperties | SetLabels;

/** `n.p = e`, `(expr).p = e`, `n[expr] = e`. */
export interface SetProperty extends Node<"SetProperty"> {
  readonly target: PropertyAccess | Subscript;
  readonly value: Expression;
}

/** `n = map` replaces all properties, `n += map` merges them. */
export interface SetProperties extends Node<"SetProperties"> {
  readonly variable: Variable;
  readonly merge: boolean;
  readonly value: Expression;
}

export interface SetLabels extends Node<"SetLabels"> {
  readonly variable: Variable;
  readonly labels: readonly (LabelName | DynamicLabel)[];
}

export interface Remove extends Node<"Remove"> {
  readonly items: readonly RemoveItem[];
}

export type RemoveItem =
  | (Node<"RemoveProperty"> & { readonly target: PropertyAccess | Subscript })
  | (Node<"RemoveLabels"> & { readonly variable: Variable; readonly labels: readonly (LabelName | DynamicLabel)[] });

export interface Delete extends Node<"Delete"> {
  readonly detach: boolean;
  readonly expressions: readonly Expression[];
}

export interface Foreach extends Node<"Foreach"> {
  readonly variable: Variable;
  readonly list: Expression;
  /** Updating clauses only: the parser refuses others. */
  readonly clauses: readonly (Create | Merge | SetClause | Remove | Delete | Foreach)[];
}

export interface LoadCsv extends Node<"LoadCsv"> {
  readonly withHeaders: boolean;
  readonly url: Expression;
  readonly variable: Variable;
  readonly fieldTerminator: StringLiteral | undefined;
}

export interface ProcedureCall extends Node<"ProcedureCall"> {
  readonly optional: boolean;
  readonly namespace: readonly string[];
  readonly name: string;
  /** `undefined` when there are no parentheses: arguments are then parameters of the same names. */
  readonly arguments: readonly Expression[] | undefined;
  readonly yield: CallYield | undefined;
  /** The only clause of its statement: then `YIELD` and even the parentheses may be missing. */
  readonly standalone: boolean;
}

export interface CallYield extends Node<"CallYield"> {
  /** `YIELD *`; standalone calls only. */
  readonly star: boolean;
  /** Empty also for `YIELD -` of procedures without results. */
  readonly items: readonly YieldItem[];
  readonly where: Expression | undefined;
}

export interface YieldItem extends Node<"YieldItem"> {
  /** The procedure's output field. */
  readonly field: string;
  /** The variable it becomes: the alias, or one named as the field. */
  readonly variable: Variable;
}

export interface SubqueryCall extends Node<"SubqueryCall"> {
  readonly optional: boolean;
  /** Scope clause `CALL (x, y) {`: the variables, or `"all"` for `(*)`; `undefined` when importing is left to `WITH`. */
  readonly imports: readonly Variable[] | "all" | undefined;
  readonly query: Query;
  readonly inTransactions: InTransactions | undefined;
}

export interface InTransactions extends Node<"InTransactions"> {
  readonly batchSize: Expression | undefined;
  readonly concurrent: boolean;
  readonly concurrency: Expression | undefined;
  readonly onError: "continue" | "break" | "fail" | undefined;
  readonly reportStatusAs: Variable | undefined;
}
