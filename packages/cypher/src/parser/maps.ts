import {
  type Expression,
  type MapEntry,
  type MapLiteral,
  type MapProjectionItem,
  type Parameter,
} from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { bracedParameter, isBracedParameter, parameter, startsParameter } from "./parameters.ts";
import { variable } from "./variables.ts";

export function mapOrParameter(cursor: Cursor): MapLiteral | Parameter {
  return isBracedParameter(cursor) ? bracedParameter(cursor) : mapLiteral(cursor);
}

/** The properties of a node or relationship pattern: a map or a parameter that holds one; nothing is fine, too. */
export function findProperties(cursor: Cursor): MapLiteral | Parameter | undefined {
  if (startsParameter(cursor)) {
    return parameter(cursor);
  }
  return cursor.at("{") ? mapLiteral(cursor) : undefined;
}

export function mapLiteral(cursor: Cursor): MapLiteral {
  const position = cursor.position();
  cursor.expect("{");
  const entries: MapEntry[] = [];
  if (cursor.accept("}")) {
    return { kind: "MapLiteral", position, entries };
  }
  cursor.withBars(false, () => {
    do {
      const entryPosition = cursor.position();
      const key = cursor.name("a property key name");
      cursor.expect(":");
      entries.push({ kind: "MapEntry", position: entryPosition, key, value: cursor.rules.expression(cursor) });
    } while (cursor.accept(","));
  });
  cursor.expect("}");
  return { kind: "MapLiteral", position, entries };
}

/** `n {.name, .*, age: 1, other}`. */
export function mapProjection(cursor: Cursor): Expression {
  const subject = variable(cursor);
  cursor.expect("{");
  const items: MapProjectionItem[] = [];
  if (!cursor.accept("}")) {
    do {
      items.push(cursor.withBars(false, () => projectionItem(cursor)));
    } while (cursor.accept(","));
    cursor.expect("}");
  }
  return { kind: "MapProjection", position: subject.position, subject, items };
}

function projectionItem(cursor: Cursor): MapProjectionItem {
  const position = cursor.position();
  if (cursor.accept(".")) {
    return cursor.accept("*")
      ? { kind: "AllProperties", position }
      : { kind: "ProjectedProperty", position, key: cursor.name("a property key name") };
  }
  const name = variable(cursor);
  return cursor.accept(":")
    ? { kind: "ProjectedEntry", position, key: name.name, value: cursor.rules.expression(cursor) }
    : { kind: "ProjectedVariable", position, variable: name };
}
