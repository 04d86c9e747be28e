import { type Mode } from "@trefoil/cypher";
import { type Value } from "./value.ts";
import { isList, kindOf, type ValueKind } from "./value-kind.ts";

/** A type's name in messages and, in the order of a union's members, in `valueType()`; per era. */
const NAMES: Readonly<Record<Exclude<ValueKind, "list">, Readonly<Record<Mode, string>>>> = {
  null: { modern: "NULL", "2.3": "Null" },
  boolean: { modern: "BOOLEAN", "2.3": "Boolean" },
  string: { modern: "STRING", "2.3": "String" },
  integer: { modern: "INTEGER", "2.3": "Integer" },
  float: { modern: "FLOAT", "2.3": "Float" },
  date: { modern: "DATE", "2.3": "Date" },
  "local time": { modern: "LOCAL TIME", "2.3": "LocalTime" },
  time: { modern: "ZONED TIME", "2.3": "Time" },
  "local datetime": { modern: "LOCAL DATETIME", "2.3": "LocalDateTime" },
  datetime: { modern: "ZONED DATETIME", "2.3": "DateTime" },
  duration: { modern: "DURATION", "2.3": "Duration" },
  point: { modern: "POINT", "2.3": "Point" },
  node: { modern: "NODE", "2.3": "Node" },
  relationship: { modern: "RELATIONSHIP", "2.3": "Relationship" },
  map: { modern: "MAP", "2.3": "Map" },
  path: { modern: "PATH", "2.3": "Path" },
};

/**
 * The name of a value's type: `INTEGER`, `LIST<STRING | NULL>`, `LIST<NOTHING>` for an empty list; in 2.3 `Integer`,
 * `Collection<String>`, `Collection<Any>` where elements differ.
 */
export function typeNameOf(value: Value, mode: Mode): string {
  const kind = kindOf(value);
  if (kind !== "list") {
    return NAMES[kind][mode];
  }
  const inner = isList(value) ? new Set(value.map((element) => typeNameOf(element, mode))) : new Set<string>();
  return mode === "modern" ? `LIST<${modernUnion(inner)}>` : `Collection<${legacyUnion(inner)}>`;
}

const ORDER: readonly string[] = Object.values(NAMES).map(({ modern }) => modern);

/**
 * What `valueType()` says: the narrowest type that has the value, `LIST<INTEGER NOT NULL> NOT NULL`. A list with a null
 * has members that may be null: `LIST<INTEGER> NOT NULL`.
 */
export function valueTypeOf(value: Value): string {
  if (value === null) {
    return "NULL";
  }
  return isList(value) ? `LIST<${elementType(value)}> NOT NULL` : `${describeType(value)} NOT NULL`;
}

function elementType(elements: readonly Value[]): string {
  const members = new Set(elements.filter((element) => element !== null).map(valueTypeOf));
  const hasNull = elements.includes(null);
  if (members.size === 0) {
    return hasNull ? "NULL" : "NOTHING";
  }
  const names = [...members].toSorted((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
  return names.map((name) => (hasNull ? name.replace(/ NOT NULL$/u, "") : name)).join(" | ");
}

/** Lists come before paths, as in the order of values. */
function rank(name: string): number {
  return name.startsWith("LIST") ? ORDER.indexOf("MAP") + 0.5 : ORDER.indexOf(name.replace(/ NOT NULL$/u, ""));
}

/** The modern name without what is in lists: short enough for any message. */
export function describeType(value: Value): string {
  const kind = kindOf(value);
  return kind === "list" ? "LIST" : NAMES[kind].modern;
}

function modernUnion(names: ReadonlySet<string>): string {
  return names.size === 0 ? "NOTHING" : [...names].sort().join(" | ");
}

function legacyUnion(names: ReadonlySet<string>): string {
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : "Any";
}
