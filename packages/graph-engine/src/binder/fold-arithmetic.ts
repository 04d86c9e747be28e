import { type Position, QueryError } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import { add } from "../values/addition.ts";
import { divide, modulo, multiply, negate, power, subtract } from "../values/arithmetic.ts";
import { type NumberValue, type Value } from "../values/value.ts";
import { isFloat, isNumber, toDouble } from "../values/value-kind.ts";
import { type BindContext } from "./bind-context.ts";
import { type BoundBinary, type BoundExpression } from "./bound-expression.ts";

const operations: Readonly<Record<string, (left: Value, right: Value, mode: "2.3") => Value>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divideFolded,
  "%": modulo,
  "^": power,
};

/** Judged before it is divided: the runtime would call it a division by zero. */
function divideFolded(left: Value, right: Value): Value {
  return isNumber(left) && isNumber(right) && (isFloat(left) || isFloat(right))
    ? floatOf(toDouble(left) / toDouble(right))
    : divide(left, right, "2.3");
}

/** Results that are no numbers any more, with the error each is unless it goes into another computation. */
const infinite = new WeakMap<BoundExpression, Error>();

/**
 * 2.3's arithmetic of number literals, done at compile time.
 *
 * `1 / 0` is an ArithmeticError, and `1.0 / 0` or `2 ^ 1024` "floating point number is too large", when the rest of the
 * statement is good.
 */
export function foldArithmetic(bound: BoundBinary, position: Position, context: BindContext): BoundExpression {
  const { left, right, operator } = bound;
  const operation = operations[operator];
  const leftValue = literalNumber(left);
  const rightValue = literalNumber(right);
  if (operation === undefined || leftValue === undefined || rightValue === undefined) {
    return bound;
  }
  try {
    const value = operation(leftValue, rightValue, "2.3");
    const folded: BoundExpression = { kind: "Literal", type: bound.type, value };
    for (const side of [left, right]) {
      forgive(side, context);
    }
    if (isNumber(value) && Math.abs(toDouble(value)) === Number.POSITIVE_INFINITY) {
      const error = context.errors.syntax("floating point number is too large", position, "FloatingPointOverflow");
      infinite.set(folded, error);
      context.laterErrors.push(error);
    }
    return folded;
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    const { code, message, tckDetail } = error;
    context.laterErrors.push(new QueryError(code, message, { phase: "compile time", tckDetail, cause: error }));
    return bound;
  }
}

function forgive(side: BoundExpression, { laterErrors }: BindContext): void {
  const error = infinite.get(side);
  if (error !== undefined) {
    laterErrors.splice(laterErrors.indexOf(error), 1);
  }
}

/** The number of a literal, or of one with a minus before it. */
function literalNumber(expression: BoundExpression): NumberValue | undefined {
  if (expression.kind === "Literal") {
    return isNumber(expression.value) ? expression.value : undefined;
  }
  const negated = expression.kind === "Unary" && expression.operator === "-" ? expression.operand : undefined;
  const value = negated === undefined ? undefined : literalNumber(negated);
  const result = value === undefined ? undefined : negate(value, "2.3");
  return result !== undefined && isNumber(result) ? result : undefined;
}
