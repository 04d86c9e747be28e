import {
  DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  type TemporalValue,
  TimeValue,
} from "@trefoil/graph-store";
import { averageNanos, nanosOfDuration } from "./duration.ts";
import { NANOS_PER_SECOND } from "./units.ts";
import { instantOf } from "./zoned.ts";

/**
 * The order of two values of one temporal type: along time, for zoned ones by the moment and then by offset and zone;
 * durations by their average length. 0 exactly for equal values. `undefined` for values of different types.
 */
export function compareTemporal(left: TemporalValue, right: TemporalValue): number | undefined {
  if (left instanceof DateValue) {
    return right instanceof DateValue ? left.epochDay - right.epochDay : undefined;
  }
  if (left instanceof LocalTimeValue) {
    return right instanceof LocalTimeValue ? left.nanoOfDay - right.nanoOfDay : undefined;
  }
  if (left instanceof TimeValue) {
    return right instanceof TimeValue ? compareTimes(left, right) : undefined;
  }
  if (left instanceof LocalDateTimeValue) {
    return right instanceof LocalDateTimeValue
      ? left.epochDay - right.epochDay || left.nanoOfDay - right.nanoOfDay
      : undefined;
  }
  if (left instanceof DateTimeValue) {
    return right instanceof DateTimeValue ? compareDateTimes(left, right) : undefined;
  }
  return right instanceof DurationValue ? compareDurations(left, right) : undefined;
}

/** Whether `<` and its like are defined: durations have no order that holds everywhere. */
export function isComparable(value: TemporalValue): boolean {
  return !(value instanceof DurationValue);
}

function compareTimes(left: TimeValue, right: TimeValue): number {
  const utc = (time: TimeValue): number => time.nanoOfDay - time.offsetSeconds * NANOS_PER_SECOND;
  return utc(left) - utc(right) || left.offsetSeconds - right.offsetSeconds;
}

function compareDateTimes(left: DateTimeValue, right: DateTimeValue): number {
  const a = instantOf(left);
  const b = instantOf(right);
  return (
    a.epochDay - b.epochDay ||
    a.nanoOfDay - b.nanoOfDay ||
    left.offsetSeconds - right.offsetSeconds ||
    compareZones(left.zone ?? "", right.zone ?? "")
  );
}

function compareZones(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareDurations(left: DurationValue, right: DurationValue): number {
  const length = averageNanos(left) - averageNanos(right);
  if (length !== 0n) {
    return length < 0n ? -1 : 1;
  }
  const nanos = nanosOfDuration(left) - nanosOfDuration(right);
  return left.months - right.months || left.days - right.days || (nanos < 0n ? -1 : nanos > 0n ? 1 : 0);
}
