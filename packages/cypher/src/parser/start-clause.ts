import { type Start, type StartItem, type StartLookup } from "../ast/clauses.ts";
import { type IntegerLiteral, type Parameter, type StringLiteral } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { integerLiteral, stringLiteral } from "./literals.ts";
import { parameter, startsParameter } from "./parameters.ts";
import { findWhere } from "./projections.ts";
import { variable } from "./variables.ts";

/** `START a = node(1, 2), r = rel:index(key = "v") [WHERE …]`. */
export function start(cursor: Cursor): Start {
  const position = cursor.position();
  cursor.expectWord("START");
  const items: StartItem[] = [];
  do {
    items.push(startItem(cursor));
  } while (cursor.accept(","));
  return { kind: "Start", position, items, where: findWhere(cursor) };
}

function startItem(cursor: Cursor): StartItem {
  const position = cursor.position();
  const name = variable(cursor);
  cursor.expect("=");
  const entity = cursor.expectOneOf(["NODE", "RELATIONSHIP", "REL"]) === "NODE" ? "node" : "relationship";
  const lookup = cursor.accept(":") ? indexLookup(cursor) : idLookup(cursor);
  return { kind: "StartItem", position, variable: name, entity, lookup };
}

function idLookup(cursor: Cursor): StartLookup {
  cursor.expect("(");
  const lookup = ids(cursor);
  cursor.expect(")");
  return lookup;
}

function ids(cursor: Cursor): StartLookup {
  const position = cursor.position();
  if (cursor.accept("*")) {
    return { kind: "AllEntities", position };
  }
  if (startsParameter(cursor)) {
    return { kind: "ByParameter", position, parameter: parameter(cursor) };
  }
  const literals: IntegerLiteral[] = [];
  do {
    literals.push(integerLiteral(cursor));
  } while (cursor.accept(","));
  return { kind: "ById", position, ids: literals };
}

function indexLookup(cursor: Cursor): StartLookup {
  const position = cursor.position();
  const index = cursor.name("an index name");
  cursor.expect("(");
  const lookup: StartLookup = cursor.atName()
    ? { kind: "ByIndexKey", position, index, key: indexKey(cursor), value: textOrParameter(cursor) }
    : { kind: "ByIndexQuery", position, index, query: textOrParameter(cursor) };
  cursor.expect(")");
  return lookup;
}

function indexKey(cursor: Cursor): string {
  const key = cursor.name("an identifier");
  cursor.expect("=");
  return key;
}

function textOrParameter(cursor: Cursor): StringLiteral | Parameter {
  return startsParameter(cursor) ? parameter(cursor) : stringLiteral(cursor);
}
