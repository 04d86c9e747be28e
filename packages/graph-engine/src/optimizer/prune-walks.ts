import { type BoundExpression } from "../binder/bound-expression.ts";
import { someExpression } from "../binder/expression-tree.ts";
import { type Operator } from "../logical-plan/operator.ts";
import { expressionsOf, variablesReadBy } from "../logical-plan/operator-tree.ts";
import { type Rule } from "./optimizer.ts";

/**
 * Where only distinct ends of walks matter, each end is found once, breadth first.
 *
 *     Distinct(b) ← VariableLengthExpand(a → b, 1..n) ← x    →    Distinct(b) ← VariableLengthExpand(a → b, distinct ends) ← x
 *
 * Holds for walks in one direction from 0 or 1 relationships on: the shortest walk to a node never uses one twice.
 */
export const pruneWalks: Rule = {
  name: "prune walks to distinct ends",
  rewrite: (operator): Operator => {
    const isDistinct =
      operator.kind === "Distinct" ||
      (operator.kind === "Aggregation" && operator.aggregates.every(({ expression }) => ignoresRepeats(expression)));
    if (!isDistinct) {
      return operator;
    }
    const source = pruned([operator], operator.source);
    return source === undefined ? operator : { ...operator, source };
  },
};

/** `operator` with the walks below it pruned, when none of `readers` above reads more of them than their ends. */
function pruned(readers: readonly Operator[], operator: Operator): Operator | undefined {
  if (operator.kind === "VariableLengthExpand") {
    const { direction, length, elements, into, relationships } = operator;
    const isRead = readers.some((reader) => variablesReadBy(reader).has(relationships));
    // What judges relationships may change from row to row; the search is one for all rows.
    return direction !== "both" && length.minimum <= 1 && elements.length === 0 && !into && !isRead
      ? { ...operator, distinctEnds: true }
      : undefined;
  }
  if ((operator.kind !== "Filter" && operator.kind !== "Projection") || expressionsOf(operator).some(isVolatile)) {
    return undefined;
  }
  const source = pruned([...readers, operator], operator.source);
  return source === undefined ? undefined : { ...operator, source };
}

function ignoresRepeats(expression: BoundExpression): boolean {
  return expression.kind === "Aggregate" && expression.distinct && expression.name === "count";
}

function isVolatile(expression: BoundExpression): boolean {
  return someExpression(expression, (each) => each.kind === "Call" && !each.function.deterministic);
}
