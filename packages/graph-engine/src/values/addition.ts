import { joinedLists } from "./list-joining.ts";
import { DurationValue, floatOf, type TemporalValue } from "@trefoil/graph-store";
import { integerResult, refuseOversized } from "./arithmetic.ts";
import { describeJava } from "./legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import { typeError } from "./query-errors.ts";
import { describeType } from "./type-of.ts";
import { type Value } from "./value.ts";
import { addDuration } from "./temporal/temporal-arithmetic.ts";
import { isInteger, isList, isMap, isNumber, isTemporal, toDouble } from "./value-kind.ts";

const ADD = ["Add", "+"] as const;

/**
 * `left + right`: numbers add, strings join (with a number, in modern mode also a boolean or temporal value, as text), durations move
 * what they are added to, lists join, an
 * element goes to the front or end of a list. null gives null. 2.3 makes a list where a map is on either side.
 *
 * @throws InvalidType for any other pair; ArithmeticError beyond 64 bits (2.3 wraps around)
 * @source cypher.md §4.4, graph-measured.md
 */
export function add(left: Value, right: Value, mode: Mode): Value {
  if (typeof left === "number" && typeof right === "number") {
    const result = left + right;
    if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) {
      return Number.isSafeInteger(result) ? result : integerResult(BigInt(left) + BigInt(right), mode, ADD);
    }
    return floatOf(result);
  }
  if (typeof left === "string" && typeof right === "string") {
    return left + right;
  }
  return left === null || right === null ? null : addOthers(left, right, mode);
}

function addOthers(left: NonNullable<Value>, right: NonNullable<Value>, mode: Mode): Value {
  refuseOversized(left);
  refuseOversized(right);
  if (isNumber(left) && isNumber(right)) {
    return isInteger(left) && isInteger(right)
      ? integerResult(BigInt(left) + BigInt(right), mode, ADD)
      : floatOf(toDouble(left) + toDouble(right));
  }
  if (isTemporal(left) && isTemporal(right)) {
    return addTemporal(left, right);
  }
  if (isList(left)) {
    return joinedLists(left, isList(right) ? right : [right]);
  }
  if (isList(right)) {
    return joinedLists([left], right);
  }
  if (joinsAsText(left, right, mode)) {
    return describeWhole(left) + describeWhole(right);
  }
  if (mode === "2.3" && (isMap(left) || isMap(right))) {
    return [left, right];
  }
  throw typeError(
    mode === "2.3"
      ? `Don't know how to add \`${describeJava(left)}\` and \`${describeJava(right)}\``
      : `Type mismatch: cannot add ${describeType(left)} and ${describeType(right)}`,
  );
}

/** A string beside a number, in modern mode also beside a boolean or temporal value. */
function joinsAsText(left: NonNullable<Value>, right: NonNullable<Value>, mode: Mode): boolean {
  const other = typeof left === "string" ? right : typeof right === "string" ? left : null;
  return (
    other !== null && (isNumber(other) || (mode === "modern" && (typeof other === "boolean" || isTemporal(other))))
  );
}

/** A duration goes onto what stands beside it. */
function addTemporal(left: TemporalValue, right: TemporalValue): Value {
  if (right instanceof DurationValue) {
    return addDuration(left, right, 1);
  }
  if (left instanceof DurationValue) {
    return addDuration(right, left, 1);
  }
  throw typeError(`Type mismatch: cannot add ${describeType(left)} and ${describeType(right)}`);
}

function describeWhole(value: NonNullable<Value>): string {
  return typeof value === "string" ? value : describeJava(value);
}
