import { type Expression } from "../ast/expressions.ts";
import { type TokenKind } from "../lexer.ts";
import { caseExpression } from "./case.ts";
import { bracketed } from "./comprehensions.ts";
import { type Cursor } from "./cursor.ts";
import { calledForm, functionCall, isNamespacedCall } from "./function-calls.ts";
import { floatLiteral, integerLiteral, stringLiteral } from "./literals.ts";
import { mapOrParameter, mapProjection } from "./maps.ts";
import { parameter } from "./parameters.ts";
import { patternExpression } from "./pattern-expressions.ts";
import { startsBarePattern, startsPattern } from "./pattern-lookahead.ts";
import { subqueryForm } from "./subqueries.ts";
import { variable } from "./variables.ts";

/** An operand without operators: literal, parameter, variable, call, parentheses and all that has a syntax of its own. */
export function atom(cursor: Cursor): Expression {
  switch (cursor.kind) {
    case "integer":
      return integerLiteral(cursor);
    case "float":
      return floatLiteral(cursor);
    case "string":
      return stringLiteral(cursor);
    case "$":
      return parameter(cursor);
    case "{":
      return mapOrParameter(cursor);
    case "[":
      return bracketed(cursor);
    case "(":
      return startsPattern(cursor) ? patternExpression(cursor) : parenthesized(cursor);
    case "word":
      return wordAtom(cursor);
    case "quoted name":
      return nameAtom(cursor);
    default:
      return cursor.failAsOperand();
  }
}

/** Before these, even `not` and `case` are variables. */
export function endsOperand(kind: TokenKind): boolean {
  return kind === "end" || kind === ")" || kind === "]" || kind === "}" || kind === "," || kind === ";";
}

function parenthesized(cursor: Cursor): Expression {
  cursor.advance();
  const inner = cursor.withBars(false, () => cursor.rules.predicate(cursor));
  cursor.expect(")");
  return inner;
}

function wordAtom(cursor: Cursor): Expression {
  if (cursor.isWord("CASE") && !endsOperand(cursor.kindAhead(1))) {
    return caseExpression(cursor);
  }
  const next = cursor.kindAhead(1);
  const form =
    next === "(" ? calledForm(cursor) : next === "{" && cursor.isModern ? subqueryForm(cursor) : keywordAtom(cursor);
  return form ?? nameAtom(cursor);
}

function keywordAtom(cursor: Cursor): Expression | undefined {
  const position = cursor.position();
  if (cursor.isWord("NULL")) {
    cursor.advance();
    return { kind: "NullLiteral", position };
  }
  if (cursor.isWord("TRUE") || cursor.isWord("FALSE")) {
    const value = cursor.isWord("TRUE");
    cursor.advance();
    return { kind: "BooleanLiteral", position, value };
  }
  return undefined;
}

/** A function call, a map projection or a variable. */
function nameAtom(cursor: Cursor): Expression {
  const next = cursor.kindAhead(1);
  if (next === "(" || (next === "." && cursor.isModern && isNamespacedCall(cursor))) {
    return functionCall(cursor);
  }
  if (next === "{" && cursor.isModern) {
    return mapProjection(cursor);
  }
  return startsBarePattern(cursor) ? patternExpression(cursor) : variable(cursor);
}
