import { type Expression, type Position } from "@trefoil/cypher";
import { type BindContext, bindExpression, typeMismatch, valuePlace } from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { freeVariables } from "./free-variables.ts";
import { positionOfOuterName } from "./position-of-name.ts";
import { type Scope } from "./scope.ts";
import { mayBe } from "./static-type.ts";
import { describeJava } from "../values/legacy-text.ts";

/** The number of SKIP or LIMIT: it may not depend on rows; as a literal it is checked here, else when the statement runs. */
export function bindRowCount(
  word: "SKIP" | "LIMIT",
  expression: Expression | undefined,
  context: BindContext,
  scope: Scope,
): BoundExpression | undefined {
  if (expression === undefined) {
    return undefined;
  }
  const refused = (position: Position): Error =>
    context.errors.syntax(
      `It is not allowed to refer to ${context.mode === "2.3" ? "identifiers" : "variables"} in ${word}`,
      position,
      "NonConstantExpression",
    );
  // 2.3 points at the name, known or not.
  const named = context.mode === "2.3" ? positionOfOuterName(expression) : undefined;
  if (named !== undefined) {
    throw refused(named);
  }
  const bound = bindExpression(expression, valuePlace(context, scope));
  if (freeVariables(bound).size > 0) {
    throw refused(expression.position);
  }
  if (context.mode === "2.3") {
    checkLegacyLiteral(bound, expression, context);
  }
  if (isNegativeLiteral(bound)) {
    throw context.errors.syntax(
      `Invalid input. '${literalText(bound)}' is not a valid value. Must be a non-negative integer.`,
      expression.position,
      "NegativeIntegerArgument",
    );
  }
  if (!mayBe(bound.type, "integer")) {
    throw typeMismatch(context, "Integer", bound.type, expression.position);
  }
  return bound;
}

/** What is written out must be a whole number from 0: 2.3 shows what it found instead. */
function checkLegacyLiteral(bound: BoundExpression, expression: Expression, context: BindContext): void {
  const literal = bound.kind === "Unary" && bound.operator === "-" ? bound.operand : bound;
  if (literal.kind !== "Literal" || (literal === bound && literal.type.kind === "integer")) {
    return;
  }
  const { value } = literal;
  const text = value === null ? "NULL" : typeof value === "string" ? JSON.stringify(value) : describeJava(value);
  throw context.errors.syntax(
    `Invalid input '${literal === bound ? "" : "-"}${text}' is not a valid value, must be a positive integer`,
    expression.position,
    "NegativeIntegerArgument",
  );
}

function isNegativeLiteral(bound: BoundExpression): boolean {
  return (
    bound.kind === "Unary" &&
    bound.operator === "-" &&
    bound.operand.kind === "Literal" &&
    bound.type.kind === "integer"
  );
}

function literalText(bound: BoundExpression): string {
  const value = bound.kind === "Unary" && bound.operand.kind === "Literal" ? bound.operand.value : undefined;
  return typeof value === "number" || typeof value === "bigint" ? `-${value}` : "";
}
