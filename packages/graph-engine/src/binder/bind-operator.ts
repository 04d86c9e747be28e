import { type Binary, type BinaryOperator, type ComparisonChain, type Expression, type Unary } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import { bindExpression, checkBoolean, type ExpressionPlace, typeMismatch } from "./bind-context.ts";
import { type BoundBinary, type BoundExpression } from "./bound-expression.ts";
import { findLegacyMismatch, legacyResultType } from "./legacy-operator-types.ts";
import { foldArithmetic } from "./fold-arithmetic.ts";
import {
  anyType,
  booleanType,
  commonType,
  floatType,
  integerType,
  listOf,
  mayBe,
  type ScalarTypeKind,
  type StaticType,
  stringType,
} from "./static-type.ts";

const temporalKinds: readonly ScalarTypeKind[] = [
  "date",
  "time",
  "local time",
  "datetime",
  "local datetime",
  "duration",
];
/** What `- * / %` can be about; durations and dates take part in some of them. */
const arithmeticKinds: readonly ScalarTypeKind[] = ["integer", "float", "number", ...temporalKinds];

const logicalOperators: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["AND", "OR", "XOR"]);
const arithmeticOperators: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["-", "*", "/", "%", "^"]);

export function bindUnary(expression: Unary, place: ExpressionPlace): BoundExpression {
  if (expression.operator === "NOT") {
    const operand = bindExpression(expression.operand, { ...place, predicate: true });
    checkBoolean(operand, expression.operand, place);
    return { kind: "Unary", type: booleanType, operator: "NOT", operand };
  }
  const operand = bindExpression(expression.operand, { ...place, predicate: false });
  if (!mayBe(operand.type, "integer", "float", "number", "duration")) {
    throw typeMismatch(place.context, "Float or Integer", operand.type, expression.operand.position);
  }
  if (place.context.mode === "2.3" && isNegativeZero(expression)) {
    return { kind: "Literal", type: operand.type, value: floatOf(-0) };
  }
  return { kind: "Unary", type: operand.type, operator: expression.operator, operand };
}

/** `-0.0`, the only negative zero in 2.3: a minus with a blank behind it subtracts from 0. */
function isNegativeZero({ operator, operand, position }: Unary): boolean {
  return (
    operator === "-" &&
    operand.kind === "FloatLiteral" &&
    operand.value === 0 &&
    operand.position.offset === position.offset + 1
  );
}

export function bindBinary(expression: Binary, place: ExpressionPlace): BoundExpression {
  const { operator } = expression;
  const logical = logicalOperators.has(operator);
  const left = bindExpression(expression.left, { ...place, predicate: logical });
  const right = bindExpression(expression.right, { ...place, predicate: logical });
  const type = checkedType(expression, left, right, place);
  if (logical && place.context.mode === "2.3") {
    const simplified = simplifyLegacy(operator, left, right);
    if (simplified !== undefined) {
      return simplified;
    }
  }
  return foldLegacy({ kind: "Binary", type, operator, left, right }, expression, place);
}

/** 2.3 leaves out a side that decides nothing, and with it the question whether the other one is a truth value. */
function simplifyLegacy(
  operator: BinaryOperator,
  left: BoundExpression,
  right: BoundExpression,
): BoundExpression | undefined {
  const neutral = operator === "AND" ? true : operator === "OR" ? false : undefined;
  const isNeutral = (side: BoundExpression): boolean =>
    neutral !== undefined && side.kind === "Literal" && side.value === neutral;
  const remaining = isNeutral(left) ? right : isNeutral(right) ? left : undefined;
  // Known lists become truth values before.
  return remaining?.type.kind === "list" ? undefined : remaining;
}

/** 2.3 computes what is constant before it runs, so its mistakes are found early (graph-measured.md). */
function foldLegacy(bound: BoundBinary, expression: Binary, place: ExpressionPlace): BoundExpression {
  return place.context.mode === "2.3" && (bound.operator === "+" || arithmeticOperators.has(bound.operator))
    ? foldArithmetic(bound, expression.position, place.context)
    : bound;
}

/** `a < b <= c` is the conjunction of its neighbours. */
export function bindComparisonChain(expression: ComparisonChain, place: ExpressionPlace): BoundExpression {
  const value = { ...place, predicate: false };
  let left = bindExpression(expression.first, value);
  let conjunction: BoundExpression | undefined;
  for (const { operator, operand } of expression.rest) {
    const right = bindExpression(operand, value);
    const link: BoundExpression = { kind: "Binary", type: booleanType, operator, left, right };
    conjunction =
      conjunction === undefined
        ? link
        : { kind: "Binary", type: booleanType, operator: "AND", left: conjunction, right: link };
    left = right;
  }
  return conjunction ?? left;
}

function checkedType(
  expression: Binary,
  left: BoundExpression,
  right: BoundExpression,
  place: ExpressionPlace,
): StaticType {
  const { context } = place;
  const { operator } = expression;
  if (logicalOperators.has(operator)) {
    checkBoolean(left, expression.left, place);
    checkBoolean(right, expression.right, place);
    return booleanType;
  }
  if (context.mode === "2.3") {
    const mismatch = findLegacyMismatch(operator, left.type, right.type);
    if (mismatch !== undefined) {
      const bound = mismatch.operand === "left" ? left : right;
      throw typeMismatch(context, mismatch.expected, bound.type, expression[mismatch.operand].position);
    }
    if (operator === "+" || arithmeticOperators.has(operator)) {
      return legacyResultType(operator, left.type, right.type);
    }
  }
  if (arithmeticOperators.has(operator)) {
    checkArithmetic(left, expression.left, place);
    checkArithmetic(right, expression.right, place);
    return operator === "^" ? floatType : arithmeticType(left.type, right.type);
  }
  switch (operator) {
    case "+":
      return additionType(expression, left, right, place);
    case "||":
      return left.type.kind === "list" || right.type.kind === "list" ? listOf(anyType) : stringType;
    case "IN":
      if (!mayBe(right.type, "list")) {
        throw typeMismatch(
          context,
          context.mode === "2.3" ? "Collection<T>" : "List<T>",
          right.type,
          expression.right.position,
        );
      }
      return booleanType;
    default:
      return booleanType;
  }
}

function checkArithmetic(operand: BoundExpression, expression: Expression, place: ExpressionPlace): void {
  if (!mayBe(operand.type, ...arithmeticKinds)) {
    throw typeMismatch(place.context, "Float, Integer or Duration", operand.type, expression.position);
  }
}

function arithmeticType(left: StaticType, right: StaticType): StaticType {
  if (left.kind === "integer" && right.kind === "integer") {
    return integerType;
  }
  const common = commonType(left, right);
  const float = left.kind === "float" || right.kind === "float";
  return float && mayBe(left, "integer", "float") && mayBe(right, "integer", "float") && common.kind === "number"
    ? floatType
    : common;
}

/** `+` adds numbers, joins strings with anything that has a text, and appends to or joins lists. */
function additionType(
  expression: Binary,
  left: BoundExpression,
  right: BoundExpression,
  place: ExpressionPlace,
): StaticType {
  if (left.type.kind === "any" || right.type.kind === "any") {
    return anyType;
  }
  if (left.type.kind === "list" || right.type.kind === "list") {
    const element = (type: StaticType): StaticType => (type.kind === "list" ? type.element : type);
    return listOf(commonType(element(left.type), element(right.type)));
  }
  if (left.type.kind === "string" || right.type.kind === "string") {
    checkTextual(left, expression.left, place);
    checkTextual(right, expression.right, place);
    return stringType;
  }
  if (!mayBe(left.type, ...arithmeticKinds)) {
    throw typeMismatch(place.context, expectedBeside(right, place), left.type, expression.left.position);
  }
  if (!mayBe(right.type, ...arithmeticKinds)) {
    throw typeMismatch(place.context, expectedBeside(left, place), right.type, expression.right.position);
  }
  return arithmeticType(left.type, right.type);
}

function checkTextual(operand: BoundExpression, expression: Expression, place: ExpressionPlace): void {
  if (!mayBe(operand.type, "string", "boolean", "point", ...arithmeticKinds)) {
    throw typeMismatch(place.context, "Float, Integer or String", operand.type, expression.position);
  }
}

/** What `+` could have taken beside the operand that is there. */
function expectedBeside(operand: BoundExpression, place: ExpressionPlace): string {
  return mayBe(operand.type, ...arithmeticKinds)
    ? "Float, Integer or String"
    : place.context.typeName(listOf(operand.type));
}
