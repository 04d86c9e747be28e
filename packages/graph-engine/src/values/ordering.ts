import { PointValue } from "@trefoil/graph-store";
import { compareNumbers, compareStrings } from "./comparison.ts";
import { type GraphAccess } from "./graph-access.ts";
import { describeLegacy } from "./legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import { lateSyntaxError } from "./query-errors.ts";
import { type ListValue, type MapValue, NodeValue, PathValue, RelationshipValue, type Value } from "./value.ts";
import { compareTemporal } from "./temporal/temporal-order.ts";
import { isList, isMap, isNumber, isTemporal, toDouble, type ValueKind, kindOf } from "./value-kind.ts";

/** What asks for an order; named in 2.3's refusals. */
export type OrderingOperation = "ORDER BY" | "MIN" | "MAX";

/**
 * The order of ORDER BY, min and max, ascending: negative when `left` comes first, 0 when neither does.
 *
 * Modern: total over all values: maps, nodes, relationships, lists, paths, strings, booleans, numbers (NaN above the
 * rest), null last; temporal values lie between paths and strings. 2.3: values of one comparable type, null last.
 *
 * @throws in 2.3, InvalidSyntax "Cannot perform ORDER BY on mixed types." for any other pair
 * @source cypher.md §4.6
 */
export function compareForOrder(
  left: Value,
  right: Value,
  mode: Mode,
  operation: OrderingOperation = "ORDER BY",
  access?: GraphAccess,
): number {
  if (typeof left === "number" && typeof right === "number") {
    return numbersInOrder(left, right);
  }
  if (typeof left === "string" && typeof right === "string") {
    return compareStrings(left, right);
  }
  if (left === null || right === null) {
    return left === right ? 0 : left === null ? 1 : -1;
  }
  return mode === "modern" ? inOrder(left, right) : inLegacyOrder(left, right, operation, access);
}

/** The place of a type in the modern order. */
const RANKS: Readonly<Record<ValueKind, number>> = {
  map: 0,
  node: 1,
  relationship: 2,
  list: 3,
  path: 4,
  point: 5,
  datetime: 6,
  "local datetime": 7,
  date: 8,
  time: 9,
  "local time": 10,
  duration: 11,
  string: 12,
  boolean: 13,
  integer: 14,
  float: 14,
  null: 15,
};

function inOrder(left: Value, right: Value): number {
  const rank = RANKS[kindOf(left)] - RANKS[kindOf(right)];
  if (rank !== 0) {
    return rank;
  }
  if (isNumber(left) && isNumber(right)) {
    return numbersInOrder(left, right);
  }
  if (typeof left === "string" && typeof right === "string") {
    return compareStrings(left, right);
  }
  if (typeof left === "boolean") {
    return Number(left) - Number(right);
  }
  if (isList(left) && isList(right)) {
    return listsInOrder(left, right);
  }
  if (isMap(left) && isMap(right)) {
    return mapsInOrder(left, right);
  }
  if (isTemporal(left) && isTemporal(right)) {
    return compareTemporal(left, right) ?? 0;
  }
  if (left instanceof PointValue && right instanceof PointValue) {
    return left.system - right.system || listsInOrder(left.coordinates, right.coordinates);
  }
  return entitiesInOrder(left, right);
}

function entitiesInOrder(left: Value, right: Value): number {
  if (left instanceof NodeValue && right instanceof NodeValue) {
    return left.id - right.id;
  }
  if (left instanceof RelationshipValue && right instanceof RelationshipValue) {
    return left.id - right.id;
  }
  if (left instanceof PathValue && right instanceof PathValue) {
    const first = (left.nodes[0] ?? 0) - (right.nodes[0] ?? 0);
    return first === 0 ? listsInOrder(left.relationships, right.relationships) : first;
  }
  return 0;
}

function numbersInOrder(left: Parameters<typeof compareNumbers>[0], right: typeof left): number {
  const order = compareNumbers(left, right);
  return order === "unordered" ? Number(Number.isNaN(toDouble(left))) - Number(Number.isNaN(toDouble(right))) : order;
}

function listsInOrder(left: ListValue, right: ListValue): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareForOrder(left[index] ?? null, right[index] ?? null, "modern");
    if (order !== 0) {
      return order;
    }
  }
  return left.length - right.length;
}

/** By size, then by the names in order, then by what they name. */
function mapsInOrder(left: MapValue, right: MapValue): number {
  if (left.size !== right.size) {
    return left.size - right.size;
  }
  const leftKeys = [...left.keys()].sort();
  const rightKeys = [...right.keys()].sort();
  const keys = listsInOrder(leftKeys, rightKeys);
  return keys === 0
    ? listsInOrder(
        leftKeys.map((key) => left.get(key) ?? null),
        leftKeys.map((key) => right.get(key) ?? null),
      )
    : keys;
}

function inLegacyOrder(
  left: Value,
  right: Value,
  operation: OrderingOperation,
  access: GraphAccess | undefined,
): number {
  if (isNumber(left) && isNumber(right)) {
    return numbersInOrder(left, right);
  }
  if (typeof left === "boolean" && typeof right === "boolean") {
    return Number(left) - Number(right);
  }
  const areLists = isList(left) && isList(right) && access?.withoutParameters === true;
  const refusal = areLists ? "lists, consider using UNWIND" : "mixed types";
  throw lateSyntaxError(
    `Cannot perform ${operation} on ${refusal}. Left: ${describeLiteral(left, access)}; Right: ${describeLiteral(right, access)}`,
  );
}

/** What is sorted mostly comes from literals and properties: its integers were `Long` there. */
function describeLiteral(value: Value, access: GraphAccess | undefined): string {
  return describeLegacy(value, access).replace(/ \(Integer\)$/u, " (Long)");
}
