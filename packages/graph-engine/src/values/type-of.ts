import { type Mode } from "@trefoil/cypher";
import { type Value } from "./value.ts";
import { isList, kindOf, type ValueKind } from "./value-kind.ts";

/** A type's name in messages and `valueType()`, per era. */
const NAMES: Readonly<Record<Exclude<ValueKind, "list">, Readonly<Record<Mode, string>>>> = {
  null: { modern: "NULL", "2.3": "Null" },
  boolean: { modern: "BOOLEAN", "2.3": "Boolean" },
  integer: { modern: "INTEGER", "2.3": "Integer" },
  float: { modern: "FLOAT", "2.3": "Float" },
  string: { modern: "STRING", "2.3": "String" },
  map: { modern: "MAP", "2.3": "Map" },
  node: { modern: "NODE", "2.3": "Node" },
  relationship: { modern: "RELATIONSHIP", "2.3": "Relationship" },
  path: { modern: "PATH", "2.3": "Path" },
  date: { modern: "DATE", "2.3": "Date" },
  time: { modern: "ZONED TIME", "2.3": "Time" },
  "local time": { modern: "LOCAL TIME", "2.3": "LocalTime" },
  datetime: { modern: "ZONED DATETIME", "2.3": "DateTime" },
  "local datetime": { modern: "LOCAL DATETIME", "2.3": "LocalDateTime" },
  duration: { modern: "DURATION", "2.3": "Duration" },
  point: { modern: "POINT", "2.3": "Point" },
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
