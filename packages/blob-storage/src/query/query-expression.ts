/** An expression of a query, as it was written. */
export type Expression =
  | { readonly kind: "literal"; readonly value: Scalar }
  | { readonly kind: "column"; readonly path: readonly string[] }
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "negate"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "isNull"; readonly operand: Expression }
  | { readonly kind: "in"; readonly operand: Expression; readonly choices: readonly Expression[] }
  | { readonly kind: "like"; readonly operand: Expression; readonly pattern: Expression; readonly escape: string }
  | { readonly kind: "cast"; readonly operand: Expression; readonly type: CastType }
  | { readonly kind: "call"; readonly name: FunctionName; readonly parameters: readonly Expression[] }
  /** `operand` is absent in `COUNT(*)`. */
  | { readonly kind: "aggregate"; readonly name: AggregateName; readonly operand: Expression | undefined };

export type Scalar = string | number | boolean | null;

export type BinaryOperator = "AND" | "OR" | "=" | "<>" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%" | "||";

export const CAST_TYPES = ["INT", "FLOAT", "STRING", "BOOL"] as const;
export type CastType = (typeof CAST_TYPES)[number];

export type FunctionName = "LOWER" | "UPPER" | "TRIM" | "CHAR_LENGTH" | "SUBSTRING" | "COALESCE" | "NULLIF";

/** How many parameters each function takes, at least and at most. */
export const FUNCTIONS: Readonly<Record<FunctionName, readonly [least: number, most: number]>> = {
  LOWER: [1, 1],
  UPPER: [1, 1],
  TRIM: [1, 1],
  CHAR_LENGTH: [1, 1],
  SUBSTRING: [2, 3],
  COALESCE: [1, 100],
  NULLIF: [2, 2],
};

export const AGGREGATES = ["COUNT", "SUM", "AVG", "MIN", "MAX"] as const;
export type AggregateName = (typeof AGGREGATES)[number];

export interface SelectedColumn {
  readonly expression: Expression;
  /** After `AS`, else the column's own name; absent for what has none. */
  readonly name: string | undefined;
}

export interface Query {
  /** `*`, all there is, or what is listed. */
  readonly columns: "*" | readonly SelectedColumn[];
  readonly where: Expression | undefined;
  readonly limit: number;
}
