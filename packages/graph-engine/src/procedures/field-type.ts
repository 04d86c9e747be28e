import { floatOf } from "@trefoil/graph-store";
import { describeType } from "../values/type-of.ts";
import { typeError } from "../values/query-errors.ts";
import { type Value } from "../values/value.ts";
import { isInteger, isList, isNumber, kindOf, toDouble } from "../values/value-kind.ts";
import { anyType, listOf, type ScalarTypeKind, type StaticType } from "../binder/static-type.ts";
import { type ProcedureField } from "./procedure.ts";

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

/**
 * A value as the procedure's input asks for it: an INTEGER becomes a FLOAT where that is wanted.
 *
 * @throws  InvalidType when it cannot be
 */
export function coerceArgument(value: Value, field: ProcedureField): Value {
  const type = fieldType(field.type);
  if (value === null) {
    if (field.nullable) {
      return null;
    }
    throw typeError(`Procedure argument \`${field.name}\` of type ${field.type} must not be null`);
  }
  if (type.kind === "float" && isInteger(value)) {
    return floatOf(toDouble(value));
  }
  const fits =
    type.kind === "any" ||
    (type.kind === "number" && isNumber(value)) ||
    (type.kind === "list" ? isList(value) : type.kind === kindOf(value));
  if (!fits) {
    throw typeError(
      `Type mismatch: procedure argument \`${field.name}\` is of type ${field.type} but was given ${describeType(value)}`,
    );
  }
  return value;
}
