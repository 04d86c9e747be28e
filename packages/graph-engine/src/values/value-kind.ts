import { must } from "@trefoil/base";
import {
  DateTimeValue,
  DateValue,
  DurationValue,
  isIntegerNumber,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  type TemporalValue,
  TimeValue,
  WholeFloat,
} from "@trefoil/graph-store";
import {
  type ListValue,
  type MapValue,
  NodeValue,
  type NumberValue,
  PathValue,
  RelationshipValue,
  type Value,
} from "./value.ts";

/** The type of one value, without what is inside lists and maps. */
export type ValueKind =
  | "null"
  | "boolean"
  | "integer"
  | "float"
  | "string"
  | "list"
  | "map"
  | "node"
  | "relationship"
  | "path"
  | "date"
  | "time"
  | "local time"
  | "datetime"
  | "local datetime"
  | "duration"
  | "point";

export function kindOf(value: Value): ValueKind {
  switch (typeof value) {
    case "number":
      return isIntegerNumber(value) ? "integer" : "float";
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "bigint":
      return "integer";
    default:
      return value === null ? "null" : kindOfObject(value);
  }
}

const KIND_OF_CLASS: readonly (readonly [type: abstract new (...args: never) => unknown, kind: ValueKind])[] = [
  [NodeValue, "node"],
  [RelationshipValue, "relationship"],
  [WholeFloat, "float"],
  [Map, "map"],
  [PathValue, "path"],
  [DateValue, "date"],
  [TimeValue, "time"],
  [LocalTimeValue, "local time"],
  [DateTimeValue, "datetime"],
  [LocalDateTimeValue, "local datetime"],
  [DurationValue, "duration"],
  [PointValue, "point"],
];

function kindOfObject(value: object): ValueKind {
  if (Array.isArray(value)) {
    return "list";
  }
  const found = KIND_OF_CLASS.find(([type]) => value instanceof type);
  return must(found, "every value is of one of these classes")[1];
}

/** Array.isArray narrows a union with readonly arrays badly; this one does it right. */
export function isList(value: Value): value is ListValue {
  return Array.isArray(value);
}

export function isMap(value: Value): value is MapValue {
  return value instanceof Map;
}

export function isNumber(value: Value): value is NumberValue {
  return typeof value === "number" || typeof value === "bigint" || value instanceof WholeFloat;
}

export function isInteger(value: Value): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && isIntegerNumber(value));
}

export function isFloat(value: Value): value is number | WholeFloat {
  return value instanceof WholeFloat || (typeof value === "number" && !isIntegerNumber(value));
}

export function isEntity(value: Value): value is NodeValue | RelationshipValue {
  return value instanceof NodeValue || value instanceof RelationshipValue;
}

/** The double nearest to a number: exact for every FLOAT and safe INTEGER. */
export function toDouble(value: NumberValue): number {
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : value.value;
}

export function isTemporal(value: Value): value is TemporalValue {
  return (
    value instanceof DateValue ||
    value instanceof DateTimeValue ||
    value instanceof LocalDateTimeValue ||
    value instanceof TimeValue ||
    value instanceof LocalTimeValue ||
    value instanceof DurationValue
  );
}
