import { type Quantifier } from "../ast/patterns.ts";
import { type Cursor } from "./cursor.ts";
import { integerLiteral } from "./literals.ts";

/** `+`, `*`, `{n}`, `{n,m}`, `{n,}`, `{,m}` behind a parenthesized path or a relationship; nothing is fine, too. */
export function quantifier(cursor: Cursor): Quantifier | undefined {
  if (!cursor.isModern) {
    return undefined;
  }
  const position = cursor.position();
  if (cursor.accept("+")) {
    return { kind: "Quantifier", position, from: 1, to: undefined };
  }
  if (cursor.accept("*")) {
    return { kind: "Quantifier", position, from: 0, to: undefined };
  }
  if (!cursor.accept("{")) {
    return undefined;
  }
  const from = cursor.kind === "integer" ? count(cursor) : undefined;
  if (from !== undefined && cursor.accept("}")) {
    return { kind: "Quantifier", position, from, to: from };
  }
  cursor.expect(",");
  const to = cursor.kind === "integer" ? count(cursor) : undefined;
  cursor.expect("}");
  return { kind: "Quantifier", position, from: from ?? 0, to };
}

function count(cursor: Cursor): number {
  const { value, position } = integerLiteral(cursor);
  if (typeof value === "bigint") {
    throw cursor.error("integer is too large", position, "IntegerOverflow");
  }
  return value;
}
