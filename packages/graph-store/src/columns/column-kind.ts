import { type PropertyValue } from "../values/property-value.ts";
import { WholeFloat } from "../values/whole-float.ts";

/**
 * How a column keeps its values. Each kind has one element that means "no value", so a scan reads one array:
 *
 * | kind | array | element | no value |
 * |---|---|---|---|
 * | boolean | Uint8Array | 1 false, 2 true | 0 |
 * | int32 | Int32Array | INTEGER | -2^31 |
 * | integer | Float64Array | INTEGER, safe | NaN |
 * | int64 | BigInt64Array | INTEGER | -2^63 |
 * | float | Float64Array | FLOAT | NaN |
 * | string | Int32Array | code of the string dictionary | 0 |
 * | any | Uint32Array | where the value begins in the byte heap, plus 1 | 0 |
 *
 * A value that a kind has no room for (its own "no value" included) widens the column.
 */
export type ColumnKind = "boolean" | "int32" | "integer" | "int64" | "float" | "string" | "any";

export const NO_INT32 = -2147483648;
export const NO_INT64 = -9223372036854775808n;

/** The narrowest kind that holds `value`. */
export function kindOf(value: PropertyValue): ColumnKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "bigint":
      return value === NO_INT64 ? "any" : "int64";
    case "number":
      return kindOfNumber(value);
    default:
      return value instanceof WholeFloat ? "float" : "any";
  }
}

/** The narrowest kind that holds what both hold. */
export function widened(a: ColumnKind, b: ColumnKind): ColumnKind {
  if (a === b) {
    return a;
  }
  const rankA = INTEGER_KINDS.indexOf(a);
  const rankB = INTEGER_KINDS.indexOf(b);
  return rankA < 0 || rankB < 0 ? "any" : (INTEGER_KINDS[Math.max(rankA, rankB)] as ColumnKind);
}

const INTEGER_KINDS: readonly ColumnKind[] = ["int32", "integer", "int64"];

function kindOfNumber(value: number): ColumnKind {
  if ((value | 0) === value && !Object.is(value, -0)) {
    return value === NO_INT32 ? "integer" : "int32";
  }
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    return "integer";
  }
  // A stored NaN would read as "no value" in a column of floats.
  return Number.isNaN(value) ? "any" : "float";
}
