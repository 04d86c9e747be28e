import { anyType, listOf, type ScalarTypeKind, type StaticType } from "./static-type.ts";

const scalarTypes: Readonly<Record<string, ScalarTypeKind>> = {
  BOOLEAN: "boolean",
  INTEGER: "integer",
  FLOAT: "float",
  NUMBER: "number",
  STRING: "string",
  MAP: "map",
  NODE: "node",
  RELATIONSHIP: "relationship",
  PATH: "path",
  POINT: "point",
  DATE: "date",
  TIME: "time",
  "ZONED TIME": "time",
  LOCALTIME: "local time",
  "LOCAL TIME": "local time",
  DATETIME: "datetime",
  "ZONED DATETIME": "datetime",
  LOCALDATETIME: "local datetime",
  "LOCAL DATETIME": "local datetime",
  DURATION: "duration",
};

/** What a field's type name says; names nobody knows are taken for ANY. */
export function fieldType(name: string): StaticType {
  const upper = name.trim().replace(/\?$/u, "").toUpperCase();
  const element = /^LIST\s*(?:<(.*)>|OF (.*))$/u.exec(upper);
  if (element !== null) {
    return listOf(fieldType(element[1] ?? element[2] ?? "ANY"));
  }
  const kind = scalarTypes[upper];
  return upper === "LIST" ? listOf(anyType) : kind === undefined ? anyType : { kind };
}
