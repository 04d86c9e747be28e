import { type BoundExpression } from "../binder/bound-expression.ts";
import { someExpression } from "../binder/expression-tree.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { type Variable } from "../binder/variable.ts";
import { RowEstimates } from "../logical-plan/estimate-rows.ts";
import { type Join, type Operator } from "../logical-plan/operator.ts";
import { expressionsOf } from "../logical-plan/operator-tree.ts";
import { type PlanContext } from "./plan-context.ts";
import { type StartChoice } from "./start-choice.ts";
import { isVolatile } from "./volatile.ts";

/** From so many rows on, keeping the other side is expected to pay. */
const ROWS_WORTH_KEEPING = 3;

/** A join in place of a start that would be gone through again for each row, and the predicates it settles. */
export interface KeptSide {
  readonly join: Join;
  readonly settles: readonly BoundExpression[];
}

/**
 * Nodes that do not depend on the rows so far are found once and kept, by the value that the rows' own has to equal.
 *
 *     Filter(a.x = b.x, b.y > 1) ← Scan(b) ← a    →    Filter(a.x = b.x) ← Join(a, Filter(b.y > 1) ← Scan(b), by x)
 *
 * @param predicates  still to be judged; equality of keys stays among them, since a hash tells less apart
 * @returns  `undefined` where going through them again is as good
 */
export function keptSide(
  start: StartChoice,
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  source: Operator,
  context: PlanContext,
): KeptSide | undefined {
  const { node } = start;
  const scan = start.operator({ kind: "Argument" });
  const isIndependent = expressionsOf(scan).every((expression) => freeVariables(expression).size === 0);
  // 2.3 judges predicates in an order that errors show.
  if (context.mode === "2.3" || !isIndependent) {
    return undefined;
  }
  const open = predicates.filter((predicate) => !start.settles.includes(predicate) && isSteady(predicate));
  const own = open.filter((predicate) => isOf(predicate, node));
  const key = open.map((predicate) => keyOf(predicate, node, known)).find((each) => each !== undefined);
  const isWorthKeeping = key !== undefined || own.length > 0;
  if (!isWorthKeeping || new RowEstimates(context.statistics).of(source) < ROWS_WORTH_KEEPING) {
    return undefined;
  }
  const inner: Operator = own.length === 0 ? scan : { kind: "Filter", source: scan, predicates: own };
  const keys = key === undefined ? [] : [key];
  return { join: { kind: "Join", source, inner, introduces: [node], keys }, settles: [...start.settles, ...own] };
}

function keyOf(
  predicate: BoundExpression,
  node: Variable,
  known: ReadonlySet<Variable>,
): Join["keys"][number] | undefined {
  if (predicate.kind !== "Binary" || predicate.operator !== "=") {
    return undefined;
  }
  const isOuter = (side: BoundExpression): boolean => {
    const free = freeVariables(side);
    return free.size > 0 && [...free].every((variable) => known.has(variable));
  };
  const { left, right } = predicate;
  if (isOf(right, node) && isOuter(left)) {
    return { outer: left, inner: right };
  }
  return isOf(left, node) && isOuter(right) ? { outer: right, inner: left } : undefined;
}

/** Whether an expression is about the node and nothing else. */
function isOf(expression: BoundExpression, node: Variable): boolean {
  const free = freeVariables(expression);
  return free.size === 1 && free.has(node);
}

/** Whether an expression is the same however often it is asked, and costs little. */
function isSteady(expression: BoundExpression): boolean {
  return !isVolatile(expression) && !someExpression(expression, (each) => each.kind === "Subquery");
}
