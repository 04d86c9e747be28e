import {
  type Finish,
  type Hint,
  type LoadCsv,
  type Match,
  type Return,
  type Unwind,
  type Use,
  type With,
} from "../ast/clauses.ts";
import { type Position } from "../errors.ts";
import { type Cursor } from "./cursor.ts";
import { labelName } from "./labels.ts";
import { stringLiteral } from "./literals.ts";
import { patternParts } from "./pattern-parts.ts";
import { findWhere, projection } from "./projections.ts";
import { nameOf, variable } from "./variables.ts";

/** `[OPTIONAL] MATCH pattern [USING …] [WHERE …]`. */
export function match(cursor: Cursor): Match {
  const position = cursor.position();
  const optional = cursor.acceptWord("OPTIONAL");
  cursor.expectWord("MATCH");
  const repeatableElements = cursor.isModern && matchMode(cursor);
  const pattern = patternParts(cursor);
  const hints: Hint[] = [];
  for (let place = cursor.position(); cursor.acceptWord("USING"); place = cursor.position()) {
    hints.push(hint(cursor, place));
  }
  return { kind: "Match", position, optional, repeatableElements, pattern, hints, where: findWhere(cursor) };
}

/** `REPEATABLE ELEMENTS`, or the default `DIFFERENT RELATIONSHIPS` written out. */
function matchMode(cursor: Cursor): boolean {
  const isRepeatable = cursor.isWord("REPEATABLE") && cursor.isAnyWord(["ELEMENT", "ELEMENTS"], 1);
  if (isRepeatable || (cursor.isWord("DIFFERENT") && cursor.isAnyWord(["RELATIONSHIP", "RELATIONSHIPS"], 1))) {
    cursor.advance();
    cursor.advance();
  }
  return isRepeatable;
}

const INDEX_TYPES = ["RANGE", "TEXT", "POINT", "BTREE"];

function hint(cursor: Cursor, position: Position): Hint {
  if (cursor.acceptWords("JOIN", "ON")) {
    const variables = [];
    do {
      variables.push(variable(cursor));
    } while (cursor.accept(","));
    return { kind: "UsingJoin", position, variables };
  }
  if (cursor.acceptWord("SCAN")) {
    const scanned = variable(cursor);
    cursor.expect(":");
    return { kind: "UsingScan", position, variable: scanned, label: nameOf(cursor, "a label name") };
  }
  if (cursor.isModern && cursor.isAnyWord(INDEX_TYPES)) {
    cursor.advance();
  }
  cursor.expectWord("INDEX");
  const seek = cursor.isModern && cursor.isWord("SEEK") && cursor.atName(1) && cursor.acceptWord("SEEK");
  const indexed = variable(cursor);
  cursor.expect(":");
  const label = nameOf(cursor, "a label name");
  cursor.expect("(");
  const properties = [nameOf(cursor, "a property key name")];
  while (cursor.isModern && cursor.accept(",")) {
    properties.push(nameOf(cursor, "a property key name"));
  }
  cursor.expect(")");
  return { kind: "UsingIndex", position, variable: indexed, label, properties, seek };
}

export function unwind(cursor: Cursor): Unwind {
  const position = cursor.position();
  cursor.expectWord("UNWIND");
  const list = cursor.rules.expression(cursor);
  cursor.expectWord("AS");
  return { kind: "Unwind", position, list, variable: variable(cursor) };
}

export function withClause(cursor: Cursor): With {
  const position = cursor.position();
  cursor.expectWord("WITH");
  return { kind: "With", position, projection: projection(cursor), where: findWhere(cursor) };
}

export function returnClause(cursor: Cursor): Return {
  const position = cursor.position();
  cursor.expectWord("RETURN");
  return { kind: "Return", position, projection: projection(cursor) };
}

export function finish(cursor: Cursor): Finish {
  const position = cursor.position();
  cursor.expectWord("FINISH");
  return { kind: "Finish", position };
}

/** `USE database`, whose name may have dots. */
export function use(cursor: Cursor): Use {
  const position = cursor.position();
  cursor.expectWord("USE");
  const name = [labelName(cursor, "a database name").name];
  while (cursor.accept(".")) {
    name.push(labelName(cursor, "a database name").name);
  }
  return { kind: "Use", position, name };
}

/** `LOAD CSV [WITH HEADERS] FROM url AS row [FIELDTERMINATOR ';']`. */
export function loadCsv(cursor: Cursor): LoadCsv {
  const start = cursor.position();
  cursor.acceptWords("LOAD", "CSV");
  const withHeaders = cursor.acceptWords("WITH", "HEADERS");
  cursor.expectWord("FROM");
  const url = cursor.rules.expression(cursor);
  cursor.expectWord("AS");
  const row = variable(cursor);
  // 2.3 takes what follows the row's name for the place of the clause.
  const position = cursor.isModern ? start : cursor.position();
  const fieldTerminator = cursor.acceptWord("FIELDTERMINATOR") ? stringLiteral(cursor) : undefined;
  return { kind: "LoadCsv", position, withHeaders, url, variable: row, fieldTerminator };
}
