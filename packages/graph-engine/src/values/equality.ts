import { PointValue, WholeFloat } from "@trefoil/graph-store";
import { refuseOversized } from "./arithmetic.ts";
import { type GraphAccess } from "./graph-access.ts";
import { describeLegacy } from "./legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import { lateSyntaxError, typeError } from "./query-errors.ts";
import { describeType } from "./type-of.ts";
import { type MapValue, NodeValue, PathValue, RelationshipValue, type Ternary, type Value } from "./value.ts";
import { pointsEqual } from "./point.ts";
import { compareTemporal } from "./temporal/temporal-order.ts";
import { isEntity, isList, isMap, isTemporal } from "./value-kind.ts";

/**
 * `left = right` in three-valued logic: null when either side is null or, in modern mode, when only nulls inside
 * lists or maps leave it open. 1 equals 1.0, NaN equals nothing (in 2.3 itself), values of different types differ.
 *
 * In 2.3 a null inside a list or map equals a null, and a path equals the list of its nodes and relationships.
 *
 * @throws  in 2.3, InvalidSyntax for an entity against something else that is not null
 * @source  cypher.md §4.6, §9
 */
export function equals(left: Value, right: Value, mode: Mode, access?: GraphAccess): Ternary {
  if (left === null || right === null) {
    return null;
  }
  return mode === "modern" ? equalsModern(left, right) : equalsLegacy(left, right, access);
}

/** `left <> right`. */
export function notEquals(left: Value, right: Value, mode: Mode, access?: GraphAccess): Ternary {
  const equal = equals(left, right, mode, access);
  return equal === null ? null : !equal;
}

/**
 * `element IN list`: true when an element equals, else null when one is open, else false.
 *
 * @throws modern: InvalidType when `list` is neither null nor a list; 2.3 takes such a value for a list of itself
 */
export function isIn(element: Value, list: Value, mode: Mode, access?: GraphAccess): Ternary {
  if (list === null) {
    return null;
  }
  let result: Ternary = false;
  for (const candidate of listToSearch(list, mode)) {
    const equal = equals(element, candidate, mode, access);
    if (equal === true) {
      return true;
    }
    result = equal === null ? null : result;
  }
  return result;
}

function listToSearch(list: NonNullable<Value>, mode: Mode): readonly Value[] {
  if (isList(list)) {
    return list;
  }
  if (mode === "modern") {
    throw typeError(`Type mismatch: expected a list on the right of IN but was ${describeType(list)}`);
  }
  return [list];
}

function equalsModern(left: Value, right: Value): Ternary {
  if (left === null || right === null) {
    return null;
  }
  const scalar = scalarEquals(left, right);
  if (scalar !== undefined) {
    return scalar;
  }
  if (isList(left)) {
    return isList(right) && listsEqual(left, right);
  }
  return isMap(left) && isMap(right) && mapsEqual(left, right);
}

function equalsLegacy(left: Value, right: Value, access: GraphAccess | undefined): boolean {
  if (kindsClash(left, right)) {
    throw lateSyntaxError(
      `Don't know how to compare that. Left: ${describeLegacy(left, access)}; Right: ${describeLegacy(right, access)}`,
    );
  }
  return equivalentLegacy(left, right);
}

function kindsClash(left: Value, right: Value): boolean {
  if (isEntity(left)) {
    return left instanceof NodeValue ? !(right instanceof NodeValue) : !(right instanceof RelationshipValue);
  }
  return isEntity(right);
}

/** 2.3's equality of what is inside lists and maps: two-valued, null equals null. */
function equivalentLegacy(left: Value, right: Value): boolean {
  refuseOversized(left);
  refuseOversized(right);
  if (left === null || right === null) {
    return left === right;
  }
  const scalar = scalarEquals(left, right);
  if (scalar !== undefined) {
    return scalar || (left instanceof PathValue && isList(right) && pathEqualsList(left, right));
  }
  if (isList(left)) {
    if (right instanceof PathValue) {
      return pathEqualsList(right, left);
    }
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((element, index) => equivalentLegacy(element, right[index] ?? null))
    );
  }
  return (
    isMap(left) &&
    isMap(right) &&
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && equivalentLegacy(value, right.get(key) ?? null))
  );
}

/** Equality of everything but two lists or two maps; `undefined` for a list or map on the left. */
function scalarEquals(left: NonNullable<Value>, right: NonNullable<Value>): boolean | undefined {
  switch (typeof left) {
    case "number":
    case "bigint":
      // `==` between number and bigint compares the mathematical values.
      // oxlint-disable-next-line eqeqeq
      return right instanceof WholeFloat ? left == right.value : isPrimitiveNumber(right) && left == right;
    case "string":
    case "boolean":
      return left === right;
    default:
      return objectEquals(left, right);
  }
}

function objectEquals(
  left: Exclude<Value, null | string | boolean | number | bigint>,
  right: NonNullable<Value>,
): boolean | undefined {
  if (left instanceof WholeFloat) {
    // oxlint-disable-next-line eqeqeq
    return right instanceof WholeFloat ? left.value === right.value : isPrimitiveNumber(right) && left.value == right;
  }
  if (left instanceof NodeValue) {
    return right instanceof NodeValue && left.id === right.id;
  }
  if (left instanceof RelationshipValue) {
    return right instanceof RelationshipValue && left.id === right.id;
  }
  if (left instanceof PathValue) {
    return right instanceof PathValue && pathsEqual(left, right);
  }
  if (left instanceof PointValue) {
    return right instanceof PointValue && pointsEqual(left, right);
  }
  return isTemporal(left) ? isTemporal(right) && compareTemporal(left, right) === 0 : undefined;
}

function isPrimitiveNumber(value: Value): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function listsEqual(left: readonly Value[], right: readonly Value[]): Ternary {
  if (left.length !== right.length) {
    return false;
  }
  let result: Ternary = true;
  for (let index = 0; index < left.length; index += 1) {
    const equal = equalsModern(left[index] ?? null, right[index] ?? null);
    if (equal === false) {
      return false;
    }
    result = equal === null ? null : result;
  }
  return result;
}

function mapsEqual(left: MapValue, right: MapValue): Ternary {
  if (left.size !== right.size) {
    return false;
  }
  let result: Ternary = true;
  for (const [key, value] of left) {
    if (!right.has(key)) {
      return false;
    }
    const equal = equalsModern(value, right.get(key) ?? null);
    if (equal === false) {
      return false;
    }
    result = equal === null ? null : result;
  }
  return result;
}

function pathsEqual(left: PathValue, right: PathValue): boolean {
  return (
    left.relationships.length === right.relationships.length &&
    left.nodes[0] === right.nodes[0] &&
    left.relationships.every((id, index) => id === right.relationships[index])
  );
}

function pathEqualsList(path: PathValue, list: readonly Value[]): boolean {
  return (
    list.length === path.nodes.length + path.relationships.length &&
    list.every((element, index) =>
      index % 2 === 0
        ? element instanceof NodeValue && element.id === path.nodes[index / 2]
        : element instanceof RelationshipValue && element.id === path.relationships[(index - 1) / 2],
    )
  );
}
