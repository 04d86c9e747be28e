import { type BoundExpression } from "../binder/bound-expression.ts";
import { someExpression } from "../binder/expression-tree.ts";

/** Whether an expression may be another one each time: it is judged for whole rows only, once for each. */
export function isVolatile(expression: BoundExpression): boolean {
  return someExpression(expression, (each) => each.kind === "Call" && !each.function.deterministic);
}
