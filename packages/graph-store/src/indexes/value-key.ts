import { hashText } from "../columns/text.ts";
import { type PropertyScalar, type PropertyValue } from "../values/property-value.ts";
import {
  DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  type TemporalValue,
  TimeValue,
} from "../values/temporal-values.ts";
import { WholeFloat } from "../values/whole-float.ts";

const doubles = new Float64Array(1);
const words = new Int32Array(doubles.buffer);

/**
 * A 32-bit hash under which equal values agree: 1 and 1.0, 0.0 and -0.0 are equal. Different values may agree as well,
 * so whoever finds something by its hash compares the value itself.
 */
export function hashOfValue(value: PropertyValue): number {
  switch (typeof value) {
    case "number":
      return hashOfNumber(value);
    case "bigint":
      return hashOfNumber(Number(value));
    case "string":
      return hashText(value);
    case "boolean":
      return value ? 0x5bd1e995 : 0x1b873593;
    default:
      return hashOfObject(value);
  }
}

/** Of the values of a composite index together. */
export function hashOfValues(values: readonly PropertyValue[]): number {
  const [first] = values;
  if (values.length === 1 && first !== undefined) {
    return hashOfValue(first);
  }
  return combined(values.map(hashOfValue));
}

export function hashOfNumber(value: number): number {
  const small = value | 0;
  if (small === value) {
    return mixed(small);
  }
  doubles[0] = value;
  return mixed((words[0] as number) ^ Math.imul(words[1] as number, 31));
}

/**
 * Whether two property values are equal as the language says: numbers by their exact value, NaN never, lists element by
 * element, temporal values and points part by part.
 */
export function valuesEqual(left: PropertyValue, right: PropertyValue): boolean {
  if (typeof left === "string" || typeof left === "boolean") {
    return left === right;
  }
  const leftNumber = numberOf(left);
  if (leftNumber !== undefined) {
    const rightNumber = numberOf(right);
    return rightNumber !== undefined && numbersEqual(leftNumber, rightNumber);
  }
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((element, index) => valuesEqual(element, right[index] as PropertyScalar))
    );
  }
  const parts = partsOf(left as TemporalValue | PointValue);
  const others = typeof right === "object" && !isList(right) ? partsOf(right as TemporalValue | PointValue) : [];
  return parts.length === others.length && parts.every((part, index) => part === others[index]);
}

export function isList(value: PropertyValue): value is readonly PropertyScalar[] {
  return Array.isArray(value);
}

/** The number of an INTEGER or FLOAT. */
export function numberOf(value: PropertyValue): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  return value instanceof WholeFloat ? value.value : undefined;
}

function numbersEqual(left: number | bigint, right: number | bigint): boolean {
  if (typeof left === typeof right) {
    return left === right;
  }
  // Only a whole number can equal a bigint, and beyond 2^53 it must do so digit by digit.
  const [float, integer] = typeof left === "number" ? [left, right] : [right as number, left];
  return Number.isInteger(float) && BigInt(float) === integer;
}

function hashOfObject(value: Exclude<PropertyValue, string | number | bigint | boolean>): number {
  if (value instanceof WholeFloat) {
    return hashOfNumber(value.value);
  }
  if (isList(value)) {
    return combined([0x2545f491, ...value.map(hashOfValue)]);
  }
  return combined(
    partsOf(value).map((part) => (typeof part === "string" ? hashText(part) : hashOfNumber(Number(part)))),
  );
}

/** What a temporal value or point is made of, its type first: equal values have equal parts. */
function partsOf(value: TemporalValue | PointValue | WholeFloat): readonly (number | bigint | string)[] {
  if (value instanceof DateValue) {
    return [1, value.epochDay];
  }
  if (value instanceof LocalTimeValue) {
    return [2, value.nanoOfDay];
  }
  if (value instanceof TimeValue) {
    return [3, value.nanoOfDay, value.offsetSeconds];
  }
  if (value instanceof LocalDateTimeValue) {
    return [4, value.epochDay, value.nanoOfDay];
  }
  if (value instanceof DateTimeValue) {
    return [5, value.epochDay, value.nanoOfDay, value.offsetSeconds, value.zone ?? ""];
  }
  if (value instanceof DurationValue) {
    return [6, value.months, value.days, value.seconds, value.nanos];
  }
  return value instanceof PointValue ? [7, value.system, ...value.coordinates] : [];
}

function combined(hashes: readonly number[]): number {
  return hashes.reduce((sum, hash) => mixed(Math.imul(sum, 31) ^ hash), hashes.length);
}

/** Spreads neighbouring numbers over all bits (the finish of MurmurHash3). */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
