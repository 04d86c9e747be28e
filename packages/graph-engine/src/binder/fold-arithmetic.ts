import { type Position, QueryError } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import { divide, modulo, multiply, negate, power, subtract } from "../values/arithmetic.ts";
import { type NumberValue, type Value } from "../values/value.ts";
import { isFloat, isNumber, toDouble } from "../values/value-kind.ts";
import { type BindContext } from "./bind-context.ts";
import { type BoundBinary, type BoundExpression } from "./bound-expression.ts";

const operations: Readonly<Record<string, (left: Value, right: Value, mode: "2.3") => Value>> = {
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": modulo,
  "^": power,
};

/**
 * 2.3's arithmetic of number literals, done at compile time.
 *
 * `1 / 0` is an ArithmeticError when the rest of the statement is good.
 *
 * @throws  "floating point number is too large" (`1.0 / 0`)
 */
export function foldArithmetic(bound: BoundBinary, position: Position, context: BindContext): BoundExpression {
  const { left, right, operator } = bound;
  const operation = operations[operator];
  const leftValue = literalNumber(left);
  const rightValue = literalNumber(right);
  if (operation === undefined || leftValue === undefined || rightValue === undefined) {
    return bound;
  }
  const tooLarge = (): QueryError =>
    context.errors.syntax("floating point number is too large", position, "FloatingPointOverflow");
  if (operator === "/" && (isFloat(leftValue) || isFloat(rightValue))) {
    // Judged before it is divided: the runtime would call it a division by zero.
    const quotient = toDouble(leftValue) / toDouble(rightValue);
    if (Number.isNaN(quotient)) {
      return { kind: "Literal", type: bound.type, value: floatOf(quotient) };
    }
    if (!Number.isFinite(quotient)) {
      throw tooLarge();
    }
  }
  try {
    return { kind: "Literal", type: bound.type, value: operation(leftValue, rightValue, "2.3") };
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    const { code, message, tckDetail } = error;
    context.laterErrors.push(new QueryError(code, message, { phase: "compile time", tckDetail, cause: error }));
    return bound;
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
