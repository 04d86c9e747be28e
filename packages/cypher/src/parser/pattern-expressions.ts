import { type PatternExpression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";

/** A pattern as an expression, from its first `(`. */
export function patternExpression(cursor: Cursor): PatternExpression {
  const position = cursor.position();
  const path = cursor.withBars(false, () => cursor.rules.pathPattern(cursor));
  return { kind: "PatternExpression", position, selector: undefined, path };
}

/** `shortestPath((a)-[*]-(b))` or `allShortestPaths(…)`; one relationship between two nodes. */
export function shortestPathExpression(cursor: Cursor): PatternExpression & { selector: object } {
  const position = cursor.position();
  const selector = { kind: "ShortestPathFunction", position, all: cursor.isWord("ALLSHORTESTPATHS") } as const;
  cursor.advance();
  cursor.expect("(");
  const path = cursor.withBars(false, () => cursor.rules.pathPattern(cursor));
  cursor.expect(")");
  return { kind: "PatternExpression", position, selector, path };
}
