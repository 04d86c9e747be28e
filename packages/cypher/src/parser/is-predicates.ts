import { type Expression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { labelExpression } from "./labels.ts";
import { typeOf } from "./types.ts";

const NORMAL_FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

/** What follows an operand and begins with `IS`: null, type, normalization and label tests. */
export function isPredicate(cursor: Cursor, operand: Expression): Expression {
  const position = cursor.position();
  cursor.expectWord("IS");
  const negated = cursor.acceptWord("NOT");
  if (cursor.acceptWord("NULL")) {
    return { kind: "IsNull", position, operand, negated };
  }
  cursor.requireModern();
  if (cursor.kind === ":" || cursor.atWord("TYPED")) {
    if (cursor.accept(":")) {
      cursor.expect(":");
    } else {
      cursor.advance();
    }
    return { kind: "TypePredicate", position, operand, negated, type: typeOf(cursor) };
  }
  const form = NORMAL_FORMS.find((name) => cursor.isWord(name) && cursor.isWord("NORMALIZED", 1));
  if (form !== undefined) {
    cursor.advance();
  }
  if (cursor.acceptWord("NORMALIZED")) {
    return { kind: "NormalizedPredicate", position, operand, negated, form: form ?? "NFC" };
  }
  const labels: Expression = { kind: "LabelPredicate", position, operand, labels: labelExpression(cursor) };
  return negated ? { kind: "Unary", position, operator: "NOT", operand: labels } : labels;
}
