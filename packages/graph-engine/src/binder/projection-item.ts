import { type Position } from "@trefoil/cypher";
import { type BindContext } from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { someExpression } from "./expression-tree.ts";

/** An item with its expression bound and its column named. */
export interface BoundItem {
  readonly name: string;
  readonly expression: BoundExpression;
  readonly position: Position;
}

export function containsAggregate(expression: BoundExpression): boolean {
  return someExpression(expression, (each) => each.kind === "Aggregate");
}

/** What can be a grouping key inside a larger expression: a variable or a property. */
export function isSimple(expression: BoundExpression): boolean {
  return expression.kind === "VariableReference" || (expression.kind === "Property" && isSimple(expression.subject));
}

export function ambiguousAggregation(context: BindContext, name: string, position: Position): Error {
  return context.errors.syntax(
    `Aggregation column contains implicit grouping expressions. For example, in 'RETURN n.a, n.a + n.b + count(*)' the aggregation expression 'n.a + n.b + count(*)' includes the implicit grouping key 'n.b'. Illegal expression(s): ${name}`,
    position,
    "AmbiguousAggregationExpression",
  );
}
