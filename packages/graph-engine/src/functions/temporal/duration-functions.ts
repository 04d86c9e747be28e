import { DurationValue } from "@trefoil/graph-store";
import { argumentError } from "../../values/query-errors.ts";
import {
  durationOfParts,
  type Fraction,
  fractionOf,
  product,
  sum,
  whole,
  ZERO,
} from "../../values/temporal/duration.ts";
import {
  daysBetween,
  durationBetween,
  monthsBetween,
  type PointInTime,
  secondsBetween,
} from "../../values/temporal/temporal-difference.ts";
import { parseDuration } from "../../values/temporal/temporal-parsing.ts";
import { describeType } from "../../values/type-of.ts";
import { type MapValue, type Value } from "../../values/value.ts";
import { isInteger, isMap, isNumber, isTemporal, toDouble } from "../../values/value-kind.ts";
import { invalidArgument } from "../arguments.ts";
import { defineFunction, MODERN } from "../define.ts";
import { type FunctionDefinition } from "../function-definition.ts";

/** What each unit of a map counts as. */
const UNITS: Readonly<Record<string, readonly [part: "months" | "days" | "nanos", count: bigint]>> = {
  years: ["months", 12n],
  quarters: ["months", 3n],
  months: ["months", 1n],
  weeks: ["days", 7n],
  days: ["days", 1n],
  hours: ["nanos", 3_600_000_000_000n],
  minutes: ["nanos", 60_000_000_000n],
  seconds: ["nanos", 1_000_000_000n],
  milliseconds: ["nanos", 1_000_000n],
  microseconds: ["nanos", 1_000n],
  nanoseconds: ["nanos", 1n],
};

/** `duration` and the differences of two temporal values; modern only. */
export const durationFunctions: readonly FunctionDefinition[] = [
  defineFunction("duration(input: string | map | duration)", {
    returns: "duration",
    modes: MODERN,
    description: "a duration from a text or a map",
    call: (_context, input: Value) => {
      if (typeof input === "string") {
        return parseDuration(input);
      }
      if (isMap(input)) {
        return durationOfMap(input);
      }
      if (input instanceof DurationValue) {
        return input;
      }
      throw invalidArgument("duration", "a STRING or MAP", input);
    },
  }),
  difference("between", "from one moment to another in months, days and seconds", durationBetween),
  difference("inMonths", "whole months from one moment to another", monthsBetween),
  difference("inDays", "whole days from one moment to another", daysBetween),
  difference("inSeconds", "seconds from one moment to another", secondsBetween),
];

function difference(
  name: string,
  description: string,
  compute: (from: PointInTime, to: PointInTime) => DurationValue,
): FunctionDefinition {
  return defineFunction(`duration.${name}(from: any, to: any)`, {
    returns: "duration",
    modes: MODERN,
    description,
    call: (_context, from: Value, to: Value) =>
      compute(pointInTime(from, `duration.${name}`), pointInTime(to, `duration.${name}`)),
  });
}

function pointInTime(value: Value, name: string): PointInTime {
  if (!isTemporal(value) || value instanceof DurationValue) {
    throw invalidArgument(name, "a date or time", value);
  }
  return value;
}

function durationOfMap(map: MapValue): DurationValue {
  const parts = { months: ZERO, days: ZERO, nanos: ZERO };
  for (const [key, value] of map) {
    const unit = Object.hasOwn(UNITS, key) ? UNITS[key] : undefined;
    if (unit === undefined) {
      throw argumentError(`Unknown field '${key.slice(0, 60)}' of a duration`);
    }
    const [part, count] = unit;
    parts[part] = sum(parts[part], product(amountOf(key, value), whole(count)));
  }
  return durationOfParts(parts);
}

function amountOf(key: string, value: Value): Fraction {
  if (!isNumber(value)) {
    throw argumentError(`${key} must be a number but was ${describeType(value)}`);
  }
  return isInteger(value) ? whole(BigInt(value)) : fractionOf(toDouble(value));
}
