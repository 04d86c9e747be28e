import { type Expression, type SubqueryExpression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";

const FORMS: ReadonlyMap<string, SubqueryExpression["form"]> = new Map([
  ["EXISTS", "exists"],
  ["COUNT", "count"],
  ["COLLECT", "collect"],
]);

/** `EXISTS { … }`, `COUNT { … }` or `COLLECT { … }` at the cursor, which stands before a `{`. */
export function subqueryForm(cursor: Cursor): Expression | undefined {
  const form = FORMS.get(cursor.tokenText.toUpperCase());
  if (form === undefined) {
    return undefined;
  }
  const position = cursor.position();
  cursor.advance();
  cursor.expect("{");
  const query = cursor.withBars(false, () => cursor.rules.subquery(cursor));
  cursor.expect("}");
  return { kind: "SubqueryExpression", position, form, query };
}
