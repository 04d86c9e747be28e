import { WholeFloat } from "@trefoil/graph-store";
import { refuseOversized } from "./arithmetic.ts";
import { type GraphAccess } from "./graph-access.ts";
import { describeLegacy } from "./legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import { lateSyntaxError } from "./query-errors.ts";
import { type NumberValue, type Ternary, type Value } from "./value.ts";
import { compareTemporal, isComparable } from "./temporal/temporal-order.ts";
import { isList, isNumber, isTemporal } from "./value-kind.ts";

/** How two values stand: -1, 0, 1; `unordered` when a NaN is among them; null when they cannot be compared. */
type Comparison = -1 | 0 | 1 | "unordered" | null;

/**
 * `left < right` and its three brothers in three-valued logic: numbers by value, strings by UTF-16 unit, false before
 * true, lists by their first difference, temporal values of one type along time. Anything with null is null.
 *
 * Modern: values of different types give null, NaN is neither less nor greater than any number.
 * 2.3: numbers and strings only, NaN above all numbers and equal to itself.
 *
 * @throws in 2.3, InvalidSyntax "Don't know how to compare that" for any other pair
 * @source cypher.md §4.6
 */
export function lessThan(left: Value, right: Value, mode: Mode, access?: GraphAccess): Ternary {
  const order = compare(left, right, mode, access);
  return order === null ? null : order === -1;
}

/** `left <= right`. */
export function lessThanOrEqual(left: Value, right: Value, mode: Mode, access?: GraphAccess): Ternary {
  const order = compare(left, right, mode, access);
  return order === null ? null : order === -1 || order === 0;
}

/** `left > right`. */
export function greaterThan(left: Value, right: Value, mode: Mode, access?: GraphAccess): Ternary {
  const order = compare(left, right, mode, access);
  return order === null ? null : order === 1;
}

/** `left >= right`. */
export function greaterThanOrEqual(left: Value, right: Value, mode: Mode, access?: GraphAccess): Ternary {
  const order = compare(left, right, mode, access);
  return order === null ? null : order === 1 || order === 0;
}

/** Numbers by their mathematical value, exactly, also INTEGER against FLOAT; `unordered` with a NaN. */
export function compareNumbers(left: NumberValue, right: NumberValue): -1 | 0 | 1 | "unordered" {
  refuseOversized(left);
  refuseOversized(right);
  const a = left instanceof WholeFloat ? left.value : left;
  const b = right instanceof WholeFloat ? right.value : right;
  // `<` and `==` between number and bigint compare the mathematical values.
  // oxlint-disable-next-line eqeqeq
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : "unordered";
}

/** Strings by UTF-16 unit, as Java compares them. */
export function compareStrings(left: string, right: string): -1 | 0 | 1 {
  return left < right ? -1 : left === right ? 0 : 1;
}

function compare(left: Value, right: Value, mode: Mode, access?: GraphAccess): Comparison {
  if (left === null || right === null) {
    return null;
  }
  if (isNumber(left) && isNumber(right)) {
    const order = compareNumbers(left, right);
    return order === "unordered" && mode === "2.3" ? compareWithNaN(left, right) : order;
  }
  if (typeof left === "string" && typeof right === "string") {
    return compareStrings(left, right);
  }
  if (typeof left === "boolean" && typeof right === "boolean") {
    return left === right ? 0 : left ? 1 : -1;
  }
  if (mode === "2.3") {
    throw lateSyntaxError(
      `Don't know how to compare that. Left: ${describeLegacy(left, access)}; Right: ${describeLegacy(right, access)}`,
    );
  }
  if (isTemporal(left)) {
    return isTemporal(right) && isComparable(left) ? signOf(compareTemporal(left, right)) : null;
  }
  return isList(left) && isList(right) ? compareLists(left, right) : null;
}

function signOf(order: number | undefined): Comparison {
  return order === undefined ? null : order < 0 ? -1 : order > 0 ? 1 : 0;
}

/** 2.3: NaN is above every number and equal to itself. */
function compareWithNaN(left: NumberValue, right: NumberValue): -1 | 0 | 1 {
  return Number.isNaN(left) ? (Number.isNaN(right) ? 0 : 1) : -1;
}

/** The first element that differs decides; one that cannot be compared leaves it open. A prefix comes first. */
function compareLists(left: readonly Value[], right: readonly Value[]): Comparison {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const order = compare(left[index] ?? null, right[index] ?? null, "modern");
    if (order !== 0) {
      return order;
    }
  }
  return left.length < right.length ? -1 : left.length > right.length ? 1 : 0;
}
