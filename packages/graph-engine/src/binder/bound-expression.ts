import { type BinaryOperator } from "@trefoil/cypher";
import { type FunctionDefinition } from "../functions/function-definition.ts";
import { type Value } from "../values/value.ts";
import { type BoundQuery } from "./bound-query.ts";
import { type StaticType } from "./static-type.ts";
import { type Variable } from "./variable.ts";

/**
 * An expression whose names are resolved and whose static type is known. Plain data: the planner moves and rewrites
 * it, the compiler turns it into JavaScript, the interpreter evaluates it as it stands.
 */
export type BoundExpression =
  | Typed<"Literal", { readonly value: Value }>
  | Typed<"Parameter", { readonly name: string }>
  | Typed<"VariableReference", { readonly variable: Variable }>
  | Typed<"Property", { readonly subject: BoundExpression; readonly key: string }>
  | Typed<"List", { readonly items: readonly BoundExpression[] }>
  | Typed<"Map", { readonly entries: readonly BoundMapEntry[] }>
  | Typed<"Unary", { readonly operator: "NOT" | "+" | "-"; readonly operand: BoundExpression }>
  | BoundBinary
  | Typed<"IsNull", { readonly operand: BoundExpression; readonly negated: boolean }>
  | Typed<"HasLabels", { readonly subject: BoundExpression; readonly labels: BoundLabels }>
  | Typed<"Subscript", { readonly subject: BoundExpression; readonly index: BoundExpression }>
  | Typed<
      "Slice",
      {
        readonly subject: BoundExpression;
        readonly from?: BoundExpression | undefined;
        readonly to?: BoundExpression | undefined;
      }
    >
  | BoundCall
  | BoundAggregate
  | BoundCase
  | BoundListComprehension
  | Typed<
      "Quantified",
      {
        readonly quantifier: "all" | "any" | "none" | "single";
        readonly variable: Variable;
        readonly list: BoundExpression;
        readonly where: BoundExpression;
      }
    >
  | BoundReduce
  | Typed<"MapProjection", { readonly subject: BoundExpression; readonly items: readonly BoundMapProjectionItem[] }>
  | BoundSubquery
  | Typed<"PathOf", { readonly steps: readonly Variable[] }>
  | Typed<"AsEntity", { readonly entity: "node" | "relationship"; readonly operand: BoundExpression }>
  | Typed<"DistinctRelationships", { readonly left: Variable; readonly right: Variable }>
  | Typed<"TypePredicate", { readonly operand: BoundExpression; readonly negated: boolean; readonly test: TypeTest }>
  | Typed<
      "Normalized",
      { readonly operand: BoundExpression; readonly negated: boolean; readonly form: "NFC" | "NFD" | "NFKC" | "NFKD" }
    >;

type Typed<Kind extends string, Fields> = { readonly kind: Kind; readonly type: StaticType } & Fields;

export type BoundBinary = Typed<
  "Binary",
  { readonly operator: BinaryOperator; readonly left: BoundExpression; readonly right: BoundExpression }
>;

export type BoundCall = Typed<
  "Call",
  { readonly function: FunctionDefinition; readonly arguments: readonly BoundExpression[] }
>;

/** `arguments` is empty for `count(*)`. */
export type BoundAggregate = Typed<
  "Aggregate",
  { readonly name: string; readonly distinct: boolean; readonly arguments: readonly BoundExpression[] }
>;

export type BoundCase = Typed<
  "Case",
  {
    readonly subject?: BoundExpression | undefined;
    readonly alternatives: readonly { readonly when: BoundExpression; readonly result: BoundExpression }[];
    readonly otherwise: BoundExpression;
  }
>;

export type BoundListComprehension = Typed<
  "ListComprehension",
  {
    readonly variable: Variable;
    readonly list: BoundExpression;
    readonly where?: BoundExpression | undefined;
    readonly projection?: BoundExpression | undefined;
  }
>;

export type BoundReduce = Typed<
  "Reduce",
  {
    readonly accumulator: Variable;
    readonly initial: BoundExpression;
    readonly variable: Variable;
    readonly list: BoundExpression;
    readonly expression: BoundExpression;
  }
>;

/** `imports` are the outer variables that the inner query reads. */
export type BoundSubquery = Typed<
  "Subquery",
  { readonly form: "exists" | "count" | "collect"; readonly query: BoundQuery }
>;

export interface BoundMapEntry {
  readonly key: string;
  readonly value: BoundExpression;
}

export type BoundMapProjectionItem = { readonly kind: "AllProperties" } | ({ readonly kind: "Entry" } & BoundMapEntry);

/** A label test; `Type` names match relationship types when the subject is a relationship. */
export type BoundLabels =
  | { readonly kind: "Name"; readonly name: string }
  | { readonly kind: "Any" }
  | { readonly kind: "Not"; readonly operand: BoundLabels }
  | { readonly kind: "And" | "Or"; readonly operands: readonly BoundLabels[] }
  | { readonly kind: "Dynamic"; readonly match: "all" | "any"; readonly expression: BoundExpression };

export type TypeTest =
  | { readonly kind: "Named"; readonly name: string; readonly notNull: boolean }
  | { readonly kind: "List"; readonly element: TypeTest; readonly notNull: boolean }
  | { readonly kind: "Union"; readonly members: readonly TypeTest[] };
