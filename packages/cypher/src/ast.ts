/**
 * The syntax tree of a statement, of both eras: 2.x and modern Cypher parse into the same nodes.
 *
 * Every node is plain readonly data with a `kind` and a `position`. A position is where an error about the node points,
 * as the 2.3 server does it: at the operator of a binary or postfix operation (`a ▸+ b`, `x ▸IS NULL`), at the key of a
 * property access (`n.▸age`), at the first character of everything else. Names are unquoted and unescaped.
 */
import { type Position } from "./errors.ts";

/** Which language a statement is in (docs/decisions/0001): decided by its prefix, else by the server's setting. */
export type Mode = "modern" | "2.3";

interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly position: Position;
}

// ---------------------------------------------------------------------------------------------------------- statement

export interface Statement extends Node<"Statement"> {
  /** The whole text as received, prefixes included; all positions count in it. */
  readonly text: string;
  /** The mode the body was parsed in, after the prefix had its say. */
  readonly mode: Mode;
  readonly prefix: Prefix;
  readonly body: StatementBody;
}

/** What stands before a statement: `CYPHER 2.3 planner=rule`, `EXPLAIN`, `PROFILE`, `PLANNER COST`. */
export interface Prefix extends Node<"Prefix"> {
  readonly execution: "normal" | "explain" | "profile";
  /** `1.9`, `2.2`, `2.3`, `5` or `25`, when one is given. */
  readonly version: string | undefined;
  /** Planner, runtime and other `name=value` pairs, lower-case, in order. */
  readonly options: readonly PrefixOption[];
  /** Where the deprecated `PLANNER <name>` form stands, which raises a notification. */
  readonly deprecatedPlanner: Position | undefined;
}

export interface PrefixOption extends Node<"PrefixOption"> {
  readonly name: string;
  readonly value: string;
}

export type StatementBody = Query | SchemaCommand | ShowCommand | TerminateTransactions;

/** One or more single queries joined by `UNION`; also the body of every `{ … }` subquery. */
export interface Query extends Node<"Query"> {
  readonly first: SingleQuery;
  readonly unions: readonly Union[];
  /** `USING PERIODIC COMMIT [n]`; only at the top, and only before `LOAD CSV`. */
  readonly periodicCommit: PeriodicCommit | undefined;
}

export interface Union extends Node<"Union"> {
  readonly all: boolean;
  readonly query: SingleQuery;
}

export interface PeriodicCommit extends Node<"PeriodicCommit"> {
  readonly batchSize: IntegerLiteral | undefined;
}

export interface SingleQuery extends Node<"SingleQuery"> {
  /** At least one, except in `EXISTS { pattern }`, which is written as a `Match`. */
  readonly clauses: readonly Clause[];
}

// ------------------------------------------------------------------------------------------------------------ clauses

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

// ----------------------------------------------------------------------------------------------------------- patterns

/** One comma-separated part of a pattern. */
export interface PatternPart extends Node<"PatternPart"> {
  /** `p = …`. */
  readonly variable: Variable | undefined;
  readonly selector: PathSelector | undefined;
  readonly path: PathPattern;
}

export type PathSelector =
  /** The 2.x forms `shortestPath(…)` and `allShortestPaths(…)`. */
  | (Node<"ShortestPathFunction"> & { readonly all: boolean })
  /** `ANY [k] [PATHS]`. */
  | (Node<"AnyPaths"> & { readonly count: Expression | undefined })
  /** `ALL PATHS`. */
  | Node<"AllPaths">
  /** `ANY SHORTEST`, `SHORTEST k`. */
  | (Node<"ShortestPaths"> & { readonly count: Expression | undefined })
  /** `ALL SHORTEST`. */
  | Node<"AllShortestPaths">
  /** `SHORTEST [k] GROUPS`. */
  | (Node<"ShortestGroups"> & { readonly count: Expression | undefined });

/** A chain: node, relationship, node, …; a parenthesized path stands where a node could stand. */
export interface PathPattern extends Node<"PathPattern"> {
  readonly elements: readonly PathElement[];
}

export type PathElement = NodePattern | RelationshipPattern | ParenthesizedPath;

export interface NodePattern extends Node<"NodePattern"> {
  readonly variable: Variable | undefined;
  readonly labels: LabelExpression | undefined;
  /** Map, or a parameter that holds one. */
  readonly properties: MapLiteral | Parameter | undefined;
  /** Inline `WHERE`. */
  readonly where: Expression | undefined;
  /** False for the bare `MATCH n` of 2.x, which raises a notification. */
  readonly parenthesized: boolean;
}

export interface RelationshipPattern extends Node<"RelationshipPattern"> {
  /** `both` for `--` and for `<-->`. */
  readonly direction: "outgoing" | "incoming" | "both";
  readonly variable: Variable | undefined;
  /** Type names joined by `|` (see `simpleTypes`), or a label expression. */
  readonly types: LabelExpression | undefined;
  /** `*`, `*2`, `*1..3`: the variable is then a list of relationships. */
  readonly length: VariableLength | undefined;
  readonly properties: MapLiteral | Parameter | undefined;
  readonly where: Expression | undefined;
  /** `-[r]->{1,3}`, `-->+`: a quantified relationship. */
  readonly quantifier: Quantifier | undefined;
  /** Written `<-->`, which CREATE refuses with its own reason. */
  readonly bothArrows: boolean;
}

export interface VariableLength extends Node<"VariableLength"> {
  readonly from: IntegerLiteral | undefined;
  readonly to: IntegerLiteral | undefined;
}

/** `((a)-[r]->(b) WHERE …){1,3}`. */
export interface ParenthesizedPath extends Node<"ParenthesizedPath"> {
  readonly variable: Variable | undefined;
  readonly path: PathPattern;
  readonly where: Expression | undefined;
  readonly quantifier: Quantifier | undefined;
}

/** `+` is 1 to unbounded, `*` is 0 to unbounded, `{n}` is n to n. */
export interface Quantifier extends Node<"Quantifier"> {
  readonly from: number;
  readonly to: number | undefined;
}

/** What follows `:` or `IS` in a pattern or a predicate. */
export type LabelExpression =
  | LabelName
  | DynamicLabel
  /** `%`: any label. */
  | Node<"LabelWildcard">
  | (Node<"LabelNot"> & { readonly operand: LabelExpression })
  | (Node<"LabelAnd"> & { readonly operands: readonly LabelExpression[] })
  | (Node<"LabelOr"> & { readonly operands: readonly LabelExpression[] });

export interface LabelName extends Node<"LabelName"> {
  readonly name: string;
}

/** `:$(expr)`, `:$all(list)`, `:$any(list)`. */
export interface DynamicLabel extends Node<"DynamicLabel"> {
  readonly match: "all" | "any";
  readonly expression: Expression;
}

// -------------------------------------------------------------------------------------------------------- expressions

export type Expression =
  | Literal
  | ListLiteral
  | MapLiteral
  | Parameter
  | Variable
  | Unary
  | Binary
  | ComparisonChain
  | IsNull
  | TypePredicate
  | NormalizedPredicate
  | LabelPredicate
  | PropertyAccess
  | Subscript
  | Slice
  | FunctionCall
  | CountStar
  | Case
  | ListComprehension
  | PatternComprehension
  | QuantifiedPredicate
  | Reduce
  | MapProjection
  | PatternExpression
  | SubqueryExpression;

export type Literal = NullLiteral | BooleanLiteral | IntegerLiteral | FloatLiteral | StringLiteral;

export interface NullLiteral extends Node<"NullLiteral"> {}

export interface BooleanLiteral extends Node<"BooleanLiteral"> {
  readonly value: boolean;
}

export interface IntegerLiteral extends Node<"IntegerLiteral"> {
  /** `number` when it is a safe integer, else `bigint`; never beyond 64 bits. */
  readonly value: number | bigint;
}

export interface FloatLiteral extends Node<"FloatLiteral"> {
  /** The double, also where it has no fraction: the `kind` tells `1.0` from `1`. */
  readonly value: number;
}

export interface StringLiteral extends Node<"StringLiteral"> {
  /** Unescaped. */
  readonly value: string;
}

export interface ListLiteral extends Node<"ListLiteral"> {
  readonly items: readonly Expression[];
}

export interface MapLiteral extends Node<"MapLiteral"> {
  /** In source order; of equal keys the last one wins. */
  readonly entries: readonly MapEntry[];
}

export interface MapEntry extends Node<"MapEntry"> {
  readonly key: string;
  readonly value: Expression;
}

/** `$name`, `{name}`, `{0}`. */
export interface Parameter extends Node<"Parameter"> {
  readonly name: string;
  readonly style: "dollar" | "braces";
}

export interface Variable extends Node<"Variable"> {
  readonly name: string;
}

/** A name with its place, where it is neither a variable nor a label in a label expression. */
export interface Name extends Node<"Name"> {
  readonly name: string;
}

export interface Unary extends Node<"Unary"> {
  readonly operator: "NOT" | "+" | "-";
  readonly operand: Expression;
}

export type ComparisonOperator = "=" | "<>" | "<" | ">" | "<=" | ">=";

export type BinaryOperator =
  | "OR"
  | "XOR"
  | "AND"
  | ComparisonOperator
  | "+"
  | "-"
  | "||"
  | "*"
  | "/"
  | "%"
  | "^"
  | "=~"
  | "IN"
  | "STARTS WITH"
  | "ENDS WITH"
  | "CONTAINS";

export interface Binary extends Node<"Binary"> {
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `a < b <= c`: the conjunction of its neighbours; two operators or more (one alone is a `Binary`). */
export interface ComparisonChain extends Node<"ComparisonChain"> {
  readonly first: Expression;
  readonly rest: readonly (Node<"ComparisonLink"> & {
    readonly operator: ComparisonOperator;
    readonly operand: Expression;
  })[];
}

export interface IsNull extends Node<"IsNull"> {
  readonly operand: Expression;
  /** `IS NOT NULL`. */
  readonly negated: boolean;
}

/** `x IS [NOT] :: TYPE`, `x IS TYPED TYPE`. */
export interface TypePredicate extends Node<"TypePredicate"> {
  readonly operand: Expression;
  readonly negated: boolean;
  readonly type: TypeExpression;
}

export type TypeExpression =
  /** The type's words in upper case with single blanks, such as `INTEGER` or `LOCAL DATETIME`. */
  | (Node<"NamedType"> & { readonly name: string; readonly notNull: boolean })
  | (Node<"ListType"> & { readonly element: TypeExpression; readonly notNull: boolean })
  | (Node<"UnionType"> & { readonly members: readonly TypeExpression[] });

/** `s IS [NOT] [NFC|NFD|NFKC|NFKD] NORMALIZED`. */
export interface NormalizedPredicate extends Node<"NormalizedPredicate"> {
  readonly operand: Expression;
  readonly negated: boolean;
  readonly form: "NFC" | "NFD" | "NFKC" | "NFKD";
}

/** `n:A:B`, `n:A|!B` as a predicate. */
export interface LabelPredicate extends Node<"LabelPredicate"> {
  readonly operand: Expression;
  readonly labels: LabelExpression;
}

export interface PropertyAccess extends Node<"PropertyAccess"> {
  readonly subject: Expression;
  readonly key: string;
}

/** `x[i]`. */
export interface Subscript extends Node<"Subscript"> {
  readonly subject: Expression;
  readonly index: Expression;
}

/** `x[a..b]`. */
export interface Slice extends Node<"Slice"> {
  readonly subject: Expression;
  readonly from: Expression | undefined;
  readonly to: Expression | undefined;
}

/** Any function, aggregates too; also `exists(n.p)`, `has(n.p)` and `size(pattern)`. */
export interface FunctionCall extends Node<"FunctionCall"> {
  readonly namespace: readonly string[];
  /** As written; function names are compared without regard to case. */
  readonly name: string;
  readonly distinct: boolean;
  readonly arguments: readonly Expression[];
}

export interface CountStar extends Node<"CountStar"> {}

export interface Case extends Node<"Case"> {
  /** `CASE subject WHEN value …`; `undefined` in the form with predicates. */
  readonly subject: Expression | undefined;
  readonly alternatives: readonly CaseAlternative[];
  readonly otherwise: Expression | undefined;
}

export interface CaseAlternative extends Node<"CaseAlternative"> {
  readonly when: Expression;
  readonly result: Expression;
}

/** `[x IN list WHERE p | e]`; `filter(…)` and `extract(…)` are its 2.x spellings. */
export interface ListComprehension extends Node<"ListComprehension"> {
  readonly form: "brackets" | "filter" | "extract";
  readonly variable: Variable;
  readonly list: Expression;
  readonly where: Expression | undefined;
  readonly projection: Expression | undefined;
}

/** `[p = (a)-->(b) WHERE … | e]`. */
export interface PatternComprehension extends Node<"PatternComprehension"> {
  readonly variable: Variable | undefined;
  readonly path: PathPattern;
  readonly where: Expression | undefined;
  readonly projection: Expression;
}

/** `all(x IN list WHERE p)` and its like. */
export interface QuantifiedPredicate extends Node<"QuantifiedPredicate"> {
  readonly quantifier: "all" | "any" | "none" | "single";
  readonly variable: Variable;
  readonly list: Expression;
  readonly where: Expression;
}

export interface Reduce extends Node<"Reduce"> {
  readonly accumulator: Variable;
  readonly initial: Expression;
  readonly variable: Variable;
  readonly list: Expression;
  readonly expression: Expression;
}

/** `n {.name, .*, age: 1, other}`. */
export interface MapProjection extends Node<"MapProjection"> {
  readonly subject: Variable;
  readonly items: readonly MapProjectionItem[];
}

export type MapProjectionItem =
  /** `.key`. */
  | (Node<"ProjectedProperty"> & { readonly key: string })
  /** `.*`. */
  | Node<"AllProperties">
  /** `key: expression`. */
  | (Node<"ProjectedEntry"> & { readonly key: string; readonly value: Expression })
  /** `variable`: under its own name. */
  | (Node<"ProjectedVariable"> & { readonly variable: Variable });

/** A pattern as predicate or list of paths; with `selector` it is `shortestPath(…)` or `allShortestPaths(…)`. */
export interface PatternExpression extends Node<"PatternExpression"> {
  readonly selector: (Node<"ShortestPathFunction"> & { readonly all: boolean }) | undefined;
  readonly path: PathPattern;
}

/** `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`; a bare pattern in braces is wrapped in a `Match` without `RETURN`. */
export interface SubqueryExpression extends Node<"SubqueryExpression"> {
  readonly form: "exists" | "count" | "collect";
  readonly query: Query;
}

// ------------------------------------------------------------------------------------------- schema, administration

export type SchemaCommand = CreateIndex | DropIndex | CreateConstraint | DropConstraint;

export type IndexType = "default" | "range" | "text" | "point" | "lookup" | "fulltext" | "vector" | "btree";

/** `CREATE INDEX ON :L(p)` and `CREATE [type] INDEX [name] [IF NOT EXISTS] FOR (n:L) ON (n.p, …) [OPTIONS {…}]`. */
export interface CreateIndex extends Node<"CreateIndex"> {
  /** The 2.x form: no name, and no error where the index exists. */
  readonly legacy: boolean;
  readonly type: IndexType;
  readonly name: Name | Parameter | undefined;
  readonly ifNotExists: boolean;
  readonly entity: EntityKind;
  /** Empty for lookup indexes; several for full-text ones. */
  readonly labels: readonly Name[];
  /** Empty for lookup indexes. */
  readonly properties: readonly Name[];
  readonly options: MapLiteral | Parameter | undefined;
}

export interface DropIndex extends Node<"DropIndex"> {
  readonly target:
    | (Node<"ByName"> & { readonly name: Name | Parameter; readonly ifExists: boolean })
    /** `DROP INDEX ON :L(p)`. */
    | (Node<"BySchema"> & { readonly label: Name; readonly properties: readonly Name[] });
}

export type ConstraintRequirement =
  | Node<"Unique">
  | Node<"NodeKey">
  | Node<"RelationshipKey">
  | Node<"Exists">
  | (Node<"Typed"> & { readonly type: TypeExpression });

/** What a constraint says: `(n:L)` or `()-[r:T]-()`, the properties, and what they must be. */
export interface ConstraintDefinition extends Node<"ConstraintDefinition"> {
  readonly entity: EntityKind;
  readonly variable: Variable;
  readonly label: Name;
  readonly properties: readonly Name[];
  readonly requirement: ConstraintRequirement;
}

export interface CreateConstraint extends Node<"CreateConstraint"> {
  /** `ON … ASSERT …` without a name: no error where the constraint exists. */
  readonly legacy: boolean;
  readonly name: Name | Parameter | undefined;
  readonly ifNotExists: boolean;
  readonly definition: ConstraintDefinition;
  readonly options: MapLiteral | Parameter | undefined;
}

export interface DropConstraint extends Node<"DropConstraint"> {
  readonly target:
    | (Node<"ByName"> & { readonly name: Name | Parameter; readonly ifExists: boolean })
    | (Node<"ByDefinition"> & { readonly definition: ConstraintDefinition });
}

export type ShowSubject =
  | "indexes"
  | "constraints"
  | "procedures"
  | "functions"
  | "transactions"
  | "settings"
  | "databases"
  | "users";

/** `SHOW RANGE INDEXES YIELD name, type WHERE … RETURN …`. */
export interface ShowCommand extends Node<"ShowCommand"> {
  readonly subject: ShowSubject;
  /** Words before the subject in upper case with single blanks (`RANGE`, `BUILT IN`, `ALL`), or `undefined`. */
  readonly filter: string | undefined;
  /** Ids or names after the subject: `SHOW TRANSACTIONS 'a', 'b'`. */
  readonly ids: readonly Expression[];
  /** `EXECUTABLE [BY CURRENT USER | BY name]`; the text is the user's name, empty for the current one. */
  readonly executableBy: string | undefined;
  readonly yield: Projection | undefined;
  readonly where: Expression | undefined;
  readonly return: Projection | undefined;
}

export interface TerminateTransactions extends Node<"TerminateTransactions"> {
  readonly ids: readonly Expression[];
  readonly yield: Projection | undefined;
  readonly where: Expression | undefined;
  readonly return: Projection | undefined;
}

/** Any node of the tree. */
export type AnyNode =
  | Statement
  | StatementBody
  | SingleQuery
  | Clause
  | Projection
  | ProjectionItem
  | SortItem
  | PatternPart
  | PathPattern
  | PathElement
  | LabelExpression
  | Expression
  | Name;
