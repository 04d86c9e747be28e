import { type CaseAlternative, type Expression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";

/** `CASE WHEN p THEN e … END` and `CASE x WHEN v THEN e … END`. */
export function caseExpression(cursor: Cursor): Expression {
  const position = cursor.position();
  cursor.expectWord("CASE");
  return cursor.withBars(false, () => {
    const subject = cursor.atWord("WHEN") ? undefined : cursor.rules.expression(cursor);
    const alternatives: CaseAlternative[] = [];
    do {
      alternatives.push(alternative(cursor, subject !== undefined));
    } while (cursor.atWord("WHEN"));
    const otherwise = cursor.acceptWord("ELSE") ? cursor.rules.expression(cursor) : undefined;
    cursor.expectWord("END");
    return { kind: "Case", position, subject, alternatives, otherwise };
  });
}

function alternative(cursor: Cursor, comparesValues: boolean): CaseAlternative {
  const position = cursor.position();
  cursor.expectWord("WHEN");
  const when = comparesValues ? cursor.rules.expression(cursor) : cursor.rules.predicate(cursor);
  cursor.expectWord("THEN");
  return { kind: "CaseAlternative", position, when, result: cursor.rules.expression(cursor) };
}
