import { type TypeExpression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";

/** Type names by their first word: the further words that may follow, longest first, and the name they stand for. */
const NAMES: Readonly<Record<string, readonly (readonly [rest: readonly string[], name: string])[]>> = {
  NOTHING: [[[], "NOTHING"]],
  NULL: [[[], "NULL"]],
  BOOLEAN: [[[], "BOOLEAN"]],
  BOOL: [[[], "BOOLEAN"]],
  STRING: [[[], "STRING"]],
  VARCHAR: [[[], "STRING"]],
  INTEGER: [[[], "INTEGER"]],
  INT: [[[], "INTEGER"]],
  SIGNED: [[["INTEGER"], "INTEGER"]],
  FLOAT: [[[], "FLOAT"]],
  DATE: [[[], "DATE"]],
  LOCAL: [
    [["TIME"], "LOCAL TIME"],
    [["DATETIME"], "LOCAL DATETIME"],
  ],
  ZONED: [
    [["TIME"], "ZONED TIME"],
    [["DATETIME"], "ZONED DATETIME"],
  ],
  TIME: [
    [["WITHOUT", "TIMEZONE"], "LOCAL TIME"],
    [["WITHOUT", "TIME", "ZONE"], "LOCAL TIME"],
    [["WITH", "TIMEZONE"], "ZONED TIME"],
    [["WITH", "TIME", "ZONE"], "ZONED TIME"],
  ],
  TIMESTAMP: [
    [["WITHOUT", "TIMEZONE"], "LOCAL DATETIME"],
    [["WITHOUT", "TIME", "ZONE"], "LOCAL DATETIME"],
    [["WITH", "TIMEZONE"], "ZONED DATETIME"],
    [["WITH", "TIME", "ZONE"], "ZONED DATETIME"],
  ],
  DURATION: [[[], "DURATION"]],
  POINT: [[[], "POINT"]],
  NODE: [[[], "NODE"]],
  VERTEX: [[[], "NODE"]],
  RELATIONSHIP: [[[], "RELATIONSHIP"]],
  EDGE: [[[], "RELATIONSHIP"]],
  MAP: [[[], "MAP"]],
  PATH: [[[], "PATH"]],
  PROPERTY: [[["VALUE"], "PROPERTY VALUE"]],
  ANY: [
    [["NODE"], "NODE"],
    [["VERTEX"], "NODE"],
    [["RELATIONSHIP"], "RELATIONSHIP"],
    [["EDGE"], "RELATIONSHIP"],
    [["MAP"], "MAP"],
    [["PROPERTY", "VALUE"], "PROPERTY VALUE"],
    [["VALUE"], "ANY"],
    [[], "ANY"],
  ],
};

/** A type behind `::` or `TYPED`: `INTEGER NOT NULL`, `LIST<STRING | FLOAT>`, `ANY<INTEGER | STRING>`. */
export function typeOf(cursor: Cursor): TypeExpression {
  const position = cursor.position();
  const members = [cursor.nested(() => singleType(cursor))];
  while (!cursor.areBarsReserved && cursor.accept("|")) {
    members.push(singleType(cursor));
  }
  const [only] = members;
  return only !== undefined && members.length === 1 ? only : { kind: "UnionType", position, members };
}

function singleType(cursor: Cursor): TypeExpression {
  const position = cursor.position();
  let type: TypeExpression;
  if (cursor.isAnyWord(["LIST", "ARRAY"])) {
    cursor.advance();
    type = { kind: "ListType", position, element: typeInBrackets(cursor), notNull: notNull(cursor) };
  } else if (
    cursor.isWord("ANY") &&
    (cursor.kindAhead(1) === "<" || (cursor.isWord("VALUE", 1) && cursor.kindAhead(2) === "<"))
  ) {
    cursor.advance();
    cursor.acceptWord("VALUE");
    type = typeInBrackets(cursor);
  } else {
    type = { kind: "NamedType", position, name: typeName(cursor), notNull: notNull(cursor) };
  }
  while (cursor.isAnyWord(["LIST", "ARRAY"])) {
    cursor.advance();
    type = { kind: "ListType", position, element: type, notNull: notNull(cursor) };
  }
  return type;
}

function typeInBrackets(cursor: Cursor): TypeExpression {
  cursor.expect("<");
  const inner = cursor.withBars(false, () => typeOf(cursor));
  cursor.expect(">");
  return inner;
}

function typeName(cursor: Cursor): string {
  const forms = cursor.kind === "word" ? NAMES[cursor.tokenText.toUpperCase()] : undefined;
  for (const [rest, name] of forms ?? []) {
    if (rest.every((word, index) => cursor.isWord(word, index + 1))) {
      for (let count = 0; count <= rest.length; count += 1) {
        cursor.advance();
      }
      return name;
    }
  }
  cursor.expected("a type name");
  return cursor.fail();
}

function notNull(cursor: Cursor): boolean {
  return cursor.accept("!") || (cursor.isWord("NOT") && cursor.isWord("NULL", 1) && cursor.acceptWords("NOT", "NULL"));
}
