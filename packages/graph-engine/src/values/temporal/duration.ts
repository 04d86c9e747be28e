import { DurationValue } from "@trefoil/graph-store";
import { argumentError, arithmeticError } from "../query-errors.ts";
import { NANOS_PER_SECOND, SECONDS_PER_AVERAGE_MONTH, SECONDS_PER_DAY } from "./units.ts";

/** An exact fraction; `over` is positive. */
export interface Fraction {
  readonly of: bigint;
  readonly over: bigint;
}

/** What a duration is made of; parts of a month spill into days, parts of a day into seconds, in average lengths. */
export interface DurationParts {
  readonly months: Fraction;
  readonly days: Fraction;
  readonly nanos: Fraction;
}

export const ZERO: Fraction = { of: 0n, over: 1n };

const NANOS = BigInt(NANOS_PER_SECOND);
const DAYS_PER_MONTH: Fraction = { of: BigInt(SECONDS_PER_AVERAGE_MONTH), over: BigInt(SECONDS_PER_DAY) };
const NANOS_PER_DAY: Fraction = { of: BigInt(SECONDS_PER_DAY) * NANOS, over: 1n };

/** A duration of fractional parts. @throws ArithmeticError when a part leaves its range */
export function durationOfParts({ months, days, nanos }: DurationParts): DurationValue {
  const [wholeMonths, restOfMonth] = split(months);
  const [wholeDays, restOfDay] = split(sum(days, product(restOfMonth, DAYS_PER_MONTH)));
  const [wholeNanos] = split(sum(nanos, product(restOfDay, NANOS_PER_DAY)));
  return durationOf(wholeMonths, wholeDays, wholeNanos);
}

/** A duration of whole parts, all time in nanoseconds. @throws ArithmeticError when a part leaves its range */
export function durationOf(months: bigint, days: bigint, nanos: bigint): DurationValue {
  const seconds = floorDivide(nanos, NANOS);
  if (BigInt.asIntN(64, seconds) !== seconds) {
    throw arithmeticError("The seconds of a duration are beyond 64 bits", "IntegerOverflow");
  }
  return new DurationValue(safe(months), safe(days), seconds, Number(nanos - seconds * NANOS));
}

/** All of its time in nanoseconds. */
export function nanosOfDuration({ seconds, nanos }: DurationValue): bigint {
  return seconds * NANOS + BigInt(nanos);
}

export function plusDuration(left: DurationValue, right: DurationValue, sign: 1n | -1n): DurationValue {
  return durationOf(
    BigInt(left.months) + sign * BigInt(right.months),
    BigInt(left.days) + sign * BigInt(right.days),
    nanosOfDuration(left) + sign * nanosOfDuration(right),
  );
}

/** Every part times `factor`, exactly; what isn't whole spills over as in {@link durationOfParts}. */
export function timesDuration(duration: DurationValue, factor: Fraction): DurationValue {
  return durationOfParts({
    months: product(whole(BigInt(duration.months)), factor),
    days: product(whole(BigInt(duration.days)), factor),
    nanos: product(whole(nanosOfDuration(duration)), factor),
  });
}

/** Its length with average months, for ordering. */
export function averageNanos(duration: DurationValue): bigint {
  return (
    (BigInt(duration.months) * BigInt(SECONDS_PER_AVERAGE_MONTH) + BigInt(duration.days) * BigInt(SECONDS_PER_DAY)) *
      NANOS +
    nanosOfDuration(duration)
  );
}

export function whole(value: bigint): Fraction {
  return { of: value, over: 1n };
}

/** The decimal a double prints as, exactly. @throws InvalidArguments for NaN and infinities */
export function fractionOf(value: number): Fraction {
  if (!Number.isFinite(value)) {
    throw argumentError(`A duration cannot be made of ${value}`);
  }
  return fractionOfText(value.toExponential());
}

/** The fraction of a decimal text, with or without exponent. */
export function fractionOfText(text: string): Fraction {
  const [mantissa = "0", exponent = "0"] = text.toLowerCase().split("e");
  const point = mantissa.indexOf(".");
  const decimals = point === -1 ? 0 : mantissa.length - point - 1;
  const digits = BigInt(mantissa.replace(".", ""));
  const scale = Number(exponent) - decimals;
  return scale >= 0 ? whole(digits * 10n ** BigInt(scale)) : { of: digits, over: 10n ** BigInt(-scale) };
}

export function sum(left: Fraction, right: Fraction): Fraction {
  return { of: left.of * right.over + right.of * left.over, over: left.over * right.over };
}

export function product(left: Fraction, right: Fraction): Fraction {
  return { of: left.of * right.of, over: left.over * right.over };
}

/** @throws ArithmeticError for a fraction of 0 */
export function inverse({ of, over }: Fraction): Fraction {
  if (of === 0n) {
    throw arithmeticError("/ by zero");
  }
  return of < 0n ? { of: -over, over: -of } : { of: over, over: of };
}

/** The whole part, towards zero, and the rest. */
function split({ of, over }: Fraction): [bigint, Fraction] {
  return [of / over, { of: of % over, over }];
}

export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

function safe(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) {
    throw arithmeticError("A part of a duration is too large", "IntegerOverflow");
  }
  return number;
}
