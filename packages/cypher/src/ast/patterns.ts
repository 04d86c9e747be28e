import { type Expression, type IntegerLiteral, type MapLiteral, type Parameter, type Variable } from "./expressions.ts";
import { type Node } from "./node.ts";

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
