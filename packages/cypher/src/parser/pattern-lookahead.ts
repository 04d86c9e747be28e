import { type Expression } from "../ast/expressions.ts";
import { type TokenKind } from "../lexer.ts";
import { type Cursor } from "./cursor.ts";

/**
 * Does a pattern begin at the `(` under the cursor, rather than an expression in parentheses? Decided by the shape of
 * a node pattern with an arrow behind it: `(n:A {…})-[`, `(n)--`, `()<-[`. Nothing is read.
 */
export function startsPattern(cursor: Cursor): boolean {
  if (cursor.kind !== "(") {
    return false;
  }
  let next = cursor.atName(1) ? 2 : 1;
  switch (cursor.kindAhead(next)) {
    case ")":
      break;
    case ":":
    case "{":
    case "$":
      next = closing(cursor, next, "(", ")");
      break;
    case "word":
      if (!cursor.isWord("WHERE", next) && !cursor.isWord("IS", next)) {
        return false;
      }
      next = closing(cursor, next, "(", ")");
      break;
    default:
      return false;
  }
  return startsArrow(cursor, next + 1);
}

/**
 * Does a pattern begin at the bare name under the cursor, as 2.x allows (`WHERE n-->()`)? Modern Cypher takes what
 * could be arithmetic (`a--b`, `a<--b`) for that.
 */
export function startsBarePattern(cursor: Cursor): boolean {
  const next = cursor.kindAhead(1);
  if (next !== "-" && next !== "<" && next !== "dash" && next !== "left arrowhead") {
    return false;
  }
  const isArithmetic = next === "-" ? cursor.kindAhead(3) !== ">" : cursor.kindAhead(3) === "-";
  return startsArrow(cursor, 1) && (!cursor.isModern || !isArithmetic || cursor.kindAhead(2) === "[");
}

/** Is there a whole arrow at this distance, `--` or `-[…]-` with or without heads, and a node behind it? */
function startsArrow(cursor: Cursor, distance: number): boolean {
  let next = distance;
  if (isOneOf(cursor, next, "<", "left arrowhead")) {
    next += 1;
  }
  if (!isOneOf(cursor, next, "-", "dash")) {
    return false;
  }
  next += 1;
  if (cursor.kindAhead(next) === "[") {
    next = closing(cursor, next + 1, "[", "]") + 1;
  }
  if (!isOneOf(cursor, next, "-", "dash")) {
    return false;
  }
  next += isOneOf(cursor, next + 1, ">", "right arrowhead") ? 2 : 1;
  // Modern Cypher can repeat a relationship here: -->+, -[r]->{2}.
  return cursor.kindAhead(next) === "(" || cursor.atName(next) || isOneOf(cursor, next, "+", "*", "{");
}

function isOneOf(cursor: Cursor, distance: number, ...kinds: readonly TokenKind[]): boolean {
  return kinds.includes(cursor.kindAhead(distance));
}

/** Distance of the bracket that closes one opened before `distance`. */
function closing(cursor: Cursor, distance: number, open: TokenKind, close: TokenKind): number {
  let depth = 0;
  for (let next = distance; ; next += 1) {
    const kind = cursor.kindAhead(next);
    if (kind === open) {
      depth += 1;
    } else if (kind === "end" || (kind === close && depth === 0)) {
      return next;
    } else if (kind === close) {
      depth -= 1;
    }
  }
}

/**
 * Refuses a pattern where a value is wanted. 2.3 reads it as a list of paths there; modern Cypher has pattern
 * comprehensions for that (TCK Pattern1, List6).
 */
export function asValue(cursor: Cursor, expression: Expression): Expression {
  if (expression.kind === "PatternExpression" && expression.selector === undefined && cursor.isModern) {
    throw cursor.error(
      "A pattern can only be used to test whether it matches; for its paths use a pattern comprehension",
      expression.position,
      "UnexpectedSyntax",
    );
  }
  return expression;
}
