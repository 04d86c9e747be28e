/** A `$filter` expression as a tree. (OData 4.01 URL conventions §5.1.1, the part that directories use) */
export type Filter =
  | { readonly kind: "and" | "or"; readonly left: Filter; readonly right: Filter }
  | { readonly kind: "not"; readonly operand: Filter }
  | { readonly kind: "comparison"; readonly operator: Comparison; readonly path: Path; readonly value: Literal }
  | { readonly kind: "in"; readonly path: Path; readonly values: readonly Literal[] }
  | { readonly kind: "function"; readonly name: TextFunction; readonly path: Path; readonly text: string }
  | { readonly kind: "any"; readonly path: Path; readonly variable: string; readonly condition: Filter | undefined };

export const comparisons = ["eq", "ne", "gt", "ge", "lt", "le"] as const;
export type Comparison = (typeof comparisons)[number];

export const textFunctions = ["startswith", "endswith", "contains"] as const;
export type TextFunction = (typeof textFunctions)[number];

/** Names from the entity inwards: `api/requestedAccessTokenVersion`. */
export type Path = readonly string[];

/** Dates and GUIDs are written without quotes and are texts to us. */
export type Literal = string | number | boolean | null;
