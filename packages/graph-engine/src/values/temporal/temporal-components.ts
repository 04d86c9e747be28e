import {
  DateTimeValue,
  DateValue,
  DurationValue,
  integerOf,
  LocalTimeValue,
  type TemporalValue,
  TimeValue,
} from "@trefoil/graph-store";
import { argumentError } from "../query-errors.ts";
import { type Value } from "../value.ts";
import { firstDayOf, firstDayOfQuarter, fromEpochDay, quarterOf, weekDateOf } from "./calendar.ts";
import { floorDivide, nanosOfDuration } from "./duration.ts";
import { offsetText } from "./time-zone.ts";
import {
  NANOS_PER_HOUR,
  NANOS_PER_MICRO,
  NANOS_PER_MILLI,
  NANOS_PER_MINUTE,
  NANOS_PER_SECOND,
  SECONDS_PER_DAY,
} from "./units.ts";
import { instantOf } from "./zoned.ts";

type Components<T> = Readonly<Record<string, (value: T) => Value>>;

/** `value.year` and its like. @throws InvalidArguments for a component the type doesn't have */
export function componentOf(value: TemporalValue, name: string): Value {
  const found = findComponent(value, name);
  if (found === undefined) {
    throw argumentError(`A temporal value of this type has no component '${name}'`);
  }
  return found;
}

function findComponent(value: TemporalValue, name: string): Value | undefined {
  if (value instanceof DurationValue) {
    return read(OF_DURATION, value, name);
  }
  const ofDate =
    value instanceof LocalTimeValue || value instanceof TimeValue ? undefined : read(OF_DATE, value.epochDay, name);
  const ofTime = value instanceof DateValue ? undefined : read(OF_TIME, value.nanoOfDay, name);
  return ofDate ?? ofTime ?? findZoneComponent(value, name);
}

function findZoneComponent(value: TemporalValue, name: string): Value | undefined {
  if (value instanceof DateTimeValue) {
    return read(OF_MOMENT, value, name) ?? read(OF_ZONE, value, name);
  }
  return value instanceof TimeValue ? read(OF_ZONE, value, name) : undefined;
}

function read<T>(components: Components<T>, value: T, name: string): Value | undefined {
  return Object.hasOwn(components, name) ? components[name]?.(value) : undefined;
}

const OF_DATE: Components<number> = {
  year: (day) => fromEpochDay(day).year,
  quarter: (day) => quarterOf(fromEpochDay(day).month),
  month: (day) => fromEpochDay(day).month,
  week: (day) => weekDateOf(day).week,
  weekYear: (day) => weekDateOf(day).weekYear,
  day: (day) => fromEpochDay(day).day,
  ordinalDay: (day) => day - firstDayOf(fromEpochDay(day).year) + 1,
  weekDay: (day) => weekDateOf(day).weekDay,
  dayOfWeek: (day) => weekDateOf(day).weekDay,
  dayOfQuarter: (day) => {
    const { year, month } = fromEpochDay(day);
    return day - firstDayOfQuarter(year, quarterOf(month)) + 1;
  },
};

const OF_TIME: Components<number> = {
  hour: (nano) => Math.floor(nano / NANOS_PER_HOUR),
  minute: (nano) => Math.floor(nano / NANOS_PER_MINUTE) % 60,
  second: (nano) => Math.floor(nano / NANOS_PER_SECOND) % 60,
  millisecond: (nano) => Math.floor((nano % NANOS_PER_SECOND) / NANOS_PER_MILLI),
  microsecond: (nano) => Math.floor((nano % NANOS_PER_SECOND) / NANOS_PER_MICRO),
  nanosecond: (nano) => nano % NANOS_PER_SECOND,
};

const OF_ZONE: Components<{ readonly offsetSeconds: number; readonly zone?: string | undefined }> = {
  timezone: ({ zone, offsetSeconds }) => zone ?? offsetText(offsetSeconds),
  offset: ({ offsetSeconds }) => offsetText(offsetSeconds),
  offsetMinutes: ({ offsetSeconds }) => Math.trunc(offsetSeconds / 60) + 0,
  offsetSeconds: ({ offsetSeconds }) => offsetSeconds,
};

const OF_MOMENT: Components<DateTimeValue> = {
  epochSeconds: (value) => integerOf(floorDivide(epochNanosOf(value), BigInt(NANOS_PER_SECOND))),
  epochMillis: (value) => integerOf(floorDivide(epochNanosOf(value), BigInt(NANOS_PER_MILLI))),
};

/** Nanoseconds since 1970 UTC. */
export function epochNanosOf(value: DateTimeValue): bigint {
  const { epochDay, nanoOfDay } = instantOf(value);
  return BigInt(epochDay) * BigInt(SECONDS_PER_DAY) * BigInt(NANOS_PER_SECOND) + BigInt(nanoOfDay);
}

const per =
  (nanos: number) =>
  (duration: DurationValue): Value =>
    integerOf(nanosOfDuration(duration) / BigInt(nanos));

const OF_DURATION: Components<DurationValue> = {
  years: ({ months }) => Math.trunc(months / 12) + 0,
  quarters: ({ months }) => Math.trunc(months / 3) + 0,
  months: ({ months }) => months,
  weeks: ({ days }) => Math.trunc(days / 7) + 0,
  days: ({ days }) => days,
  hours: per(NANOS_PER_HOUR),
  minutes: per(NANOS_PER_MINUTE),
  seconds: ({ seconds }) => integerOf(seconds),
  milliseconds: per(NANOS_PER_MILLI),
  microseconds: per(NANOS_PER_MICRO),
  nanoseconds: per(1),
  quartersOfYear: ({ months }) => Math.trunc((months % 12) / 3) + 0,
  monthsOfYear: ({ months }) => (months % 12) + 0,
  monthsOfQuarter: ({ months }) => (months % 3) + 0,
  daysOfWeek: ({ days }) => (days % 7) + 0,
  minutesOfHour: ({ seconds }) => Number((seconds / 60n) % 60n),
  secondsOfMinute: ({ seconds }) => Number(seconds % 60n),
  millisecondsOfSecond: ({ nanos }) => Math.floor(nanos / NANOS_PER_MILLI),
  microsecondsOfSecond: ({ nanos }) => Math.floor(nanos / NANOS_PER_MICRO),
  nanosecondsOfSecond: ({ nanos }) => nanos,
};
