import { type Projection, type ProjectionItem, type SortItem } from "../ast/clauses.ts";
import { type Expression } from "../ast/expressions.ts";
import { endsOperand } from "./atoms.ts";
import { type Cursor } from "./cursor.ts";
import { variable } from "./variables.ts";

/** `[DISTINCT] * | items [ORDER BY …] [SKIP …] [LIMIT …]`, behind WITH, RETURN or the YIELD of SHOW. */
export function projection(cursor: Cursor): Projection {
  const position = cursor.position();
  // With nothing behind it, 2.3 takes it for a name.
  const isName = !cursor.isModern && endsOperand(cursor.kindAhead(1));
  const distinct = !isName && cursor.acceptWord("DISTINCT");
  const star = cursor.accept("*");
  const items: ProjectionItem[] = [];
  if (!star || cursor.accept(",")) {
    do {
      items.push(projectionItem(cursor));
    } while (cursor.accept(","));
  }
  const orderBy = cursor.acceptWords("ORDER", "BY") ? sortItems(cursor) : [];
  const skip = acceptSkip(cursor) ? cursor.rules.expression(cursor) : undefined;
  const limit = cursor.acceptWord("LIMIT") ? cursor.rules.expression(cursor) : undefined;
  return { kind: "Projection", position, distinct, star, items, orderBy, skip, limit };
}

export function findWhere(cursor: Cursor): Expression | undefined {
  return cursor.acceptWord("WHERE") ? cursor.rules.predicate(cursor) : undefined;
}

function projectionItem(cursor: Cursor): ProjectionItem {
  const position = cursor.position();
  const expression = cursor.rules.expression(cursor);
  const text = cursor.text.slice(position.offset, cursor.previousEnd);
  const alias = cursor.acceptWord("AS") ? variable(cursor) : undefined;
  return { kind: "ProjectionItem", position, expression, alias, text };
}

function acceptSkip(cursor: Cursor): boolean {
  return cursor.acceptWord("SKIP") || (cursor.isModern && cursor.acceptWord("OFFSET"));
}

function sortItems(cursor: Cursor): readonly SortItem[] {
  const items: SortItem[] = [];
  do {
    const position = cursor.position();
    const expression = cursor.rules.expression(cursor);
    items.push({ kind: "SortItem", position, expression, descending: readDirection(cursor) });
  } while (cursor.accept(","));
  return items;
}

function readDirection(cursor: Cursor): boolean {
  if (cursor.acceptWord("DESC") || cursor.acceptWord("DESCENDING")) {
    return true;
  }
  if (!cursor.acceptWord("ASC")) {
    cursor.acceptWord("ASCENDING");
  }
  return false;
}
