import { type Node } from "./node.ts";
import { type LabelExpression, type PathPattern } from "./patterns.ts";
import { type Query } from "./statement.ts";

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
