import { type Expression, type ListComprehension } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { startsPattern } from "./pattern-lookahead.ts";
import { variable } from "./variables.ts";

/** What begins with `[`: a list, a list comprehension or a pattern comprehension. */
export function bracketed(cursor: Cursor): Expression {
  const position = cursor.position();
  cursor.advance();
  if (cursor.atName() && cursor.isWord("IN", 1)) {
    return listComprehension(cursor);
  }
  if (cursor.isModern) {
    if (cursor.atName() && cursor.kindAhead(1) === "=" && cursor.kindAhead(2) === "(") {
      return patternComprehension(cursor, true);
    }
    if (cursor.kind === "(" && startsPattern(cursor)) {
      return patternComprehension(cursor, false);
    }
  }
  const items: Expression[] = [];
  if (!cursor.accept("]")) {
    cursor.withBars(false, () => {
      do {
        items.push(cursor.rules.expression(cursor));
      } while (cursor.accept(","));
    });
    cursor.expect("]");
  }
  return { kind: "ListLiteral", position, items };

  function listComprehension(inner: Cursor): ListComprehension {
    const parts = filteredList(inner);
    const projection = inner.accept("|") ? inner.rules.expression(inner) : undefined;
    inner.expect("]");
    return { kind: "ListComprehension", position, form: "brackets", ...parts, projection };
  }

  function patternComprehension(inner: Cursor, isNamed: boolean): Expression {
    const name = isNamed ? variable(inner) : undefined;
    if (isNamed) {
      inner.expect("=");
    }
    const path = inner.withBars(false, () => inner.rules.pathPattern(inner));
    const where = inner.acceptWord("WHERE") ? inner.withBars(true, () => inner.rules.predicate(inner)) : undefined;
    inner.expect("|");
    const projection = inner.withBars(false, () => inner.rules.expression(inner));
    inner.expect("]");
    return { kind: "PatternComprehension", position, variable: name, path, where, projection };
  }
}

/** `x IN list [WHERE p]`, which ends before a `|`. */
export function filteredList(cursor: Cursor): Pick<ListComprehension, "variable" | "list" | "where"> {
  const element = variable(cursor);
  cursor.expectWord("IN");
  return cursor.withBars(true, () => {
    const list = cursor.rules.expression(cursor);
    const where = cursor.acceptWord("WHERE") ? cursor.rules.predicate(cursor) : undefined;
    return { variable: element, list, where };
  });
}
