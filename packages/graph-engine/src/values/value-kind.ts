import { WholeFloat, isIntegerNumber } from "@trefoil/graph-store";
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
  | "path";

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

function kindOfObject(value: Exclude<Value, null | string | number | boolean | bigint>): ValueKind {
  if (Array.isArray(value)) {
    return "list";
  }
  if (value instanceof NodeValue) {
    return "node";
  }
  if (value instanceof RelationshipValue) {
    return "relationship";
  }
  if (value instanceof WholeFloat) {
    return "float";
  }
  return value instanceof PathValue ? "path" : "map";
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
