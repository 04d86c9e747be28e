import { type Expression } from "../ast.ts";
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
      next = closingParenthesis(cursor, next);
      break;
    case "word":
      if (!cursor.isWord("WHERE", next) && !cursor.isWord("IS", next)) {
        return false;
      }
      next = closingParenthesis(cursor, next);
      break;
    default:
      return false;
  }
  return startsArrow(cursor, next + 1);
}

/** Is there `--`, `-[`, `<-` + (`-` or `[`) at this distance? Parentheses around a lone name or map are no pattern. */
function startsArrow(cursor: Cursor, distance: number): boolean {
  let next = distance;
  const first = cursor.kindAhead(next);
  if (first === "<" || first === "left arrowhead") {
    next += 1;
  }
  if (!isDash(cursor, next)) {
    return false;
  }
  return isDash(cursor, next + 1) || cursor.kindAhead(next + 1) === "[";
}

function isDash(cursor: Cursor, distance: number): boolean {
  const kind = cursor.kindAhead(distance);
  return kind === "-" || kind === "dash";
}

function closingParenthesis(cursor: Cursor, distance: number): number {
  let depth = 0;
  for (let next = distance; ; next += 1) {
    const kind = cursor.kindAhead(next);
    if (kind === "(") {
      depth += 1;
    } else if (kind === "end" || (kind === ")" && depth === 0)) {
      return next;
    } else if (kind === ")") {
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
