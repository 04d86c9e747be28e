import { argumentError } from "../../values/query-errors.ts";
import { type TimeFields } from "../../values/temporal/temporal-fields.ts";
import {
  firstDayOf,
  firstDayOfQuarter,
  firstMondayOf,
  fromEpochDay,
  quarterOf,
  toEpochDay,
  weekDateOf,
  weekDayOf,
} from "../../values/temporal/calendar.ts";
import {
  NANOS_PER_HOUR,
  NANOS_PER_MICRO,
  NANOS_PER_MILLI,
  NANOS_PER_MINUTE,
  NANOS_PER_SECOND,
} from "../../values/temporal/units.ts";
import { type MapValue } from "../../values/value.ts";
import { applyFields, readFields, type WrittenFields } from "./temporal-map.ts";
import { type TemporalParts, type TemporalType } from "./temporal-types.ts";

/** The first day of the unit a day lies in. */
const DATE_UNITS: Readonly<Record<string, (epochDay: number) => number>> = {
  millennium: (day) => firstDayOf(floorTo(fromEpochDay(day).year, 1_000)),
  century: (day) => firstDayOf(floorTo(fromEpochDay(day).year, 100)),
  decade: (day) => firstDayOf(floorTo(fromEpochDay(day).year, 10)),
  year: (day) => firstDayOf(fromEpochDay(day).year),
  weekyear: (day) => firstMondayOf(weekDateOf(day).weekYear),
  quarter: (day) => {
    const { year, month } = fromEpochDay(day);
    return firstDayOfQuarter(year, quarterOf(month));
  },
  month: (day) => toEpochDay({ ...fromEpochDay(day), day: 1 }),
  week: (day) => day - weekDayOf(day) + 1,
  day: (day) => day,
};

const TIME_UNITS: Readonly<Record<string, number>> = {
  hour: NANOS_PER_HOUR,
  minute: NANOS_PER_MINUTE,
  second: NANOS_PER_SECOND,
  millisecond: NANOS_PER_MILLI,
  microsecond: NANOS_PER_MICRO,
};

/**
 * `type.truncate(unit, value, fields)`: everything below the unit becomes the first, then the fields are set. A
 * `timezone` among them replaces the zone and leaves the clock as it is.
 *
 * @throws InvalidArguments for units the type doesn't have, and for a value without a date where one is needed
 */
export function truncateParts(
  unitName: string,
  value: TemporalParts,
  map: MapValue,
  type: TemporalType,
): TemporalParts {
  const unit = unitName.toLowerCase();
  const truncated = truncateTo(unit, value, type);
  const fields = withKeptFractions(unit, readFields(map), truncated.nanoOfDay ?? 0);
  const { zone = truncated.zone } = fields;
  const changed = applyFields({ ...truncated, zone }, fields, type);
  return fields.zone === undefined ? changed : { ...changed, zone, offsetSeconds: undefined };
}

function truncateTo(unit: string, value: TemporalParts, type: TemporalType): TemporalParts {
  const floorDay = Object.hasOwn(DATE_UNITS, unit) ? DATE_UNITS[unit] : undefined;
  const nanos = Object.hasOwn(TIME_UNITS, unit) ? TIME_UNITS[unit] : undefined;
  if (floorDay !== undefined && (type.hasDate || unit === "day")) {
    if (type.hasDate && value.epochDay === undefined) {
      throw argumentError(`${type.name}.truncate() needs a value with a date`);
    }
    return { ...value, epochDay: value.epochDay === undefined ? undefined : floorDay(value.epochDay), nanoOfDay: 0 };
  }
  if (nanos !== undefined && type.hasTime) {
    if (type.hasDate && value.epochDay === undefined) {
      throw argumentError(`${type.name}.truncate() needs a value with a date`);
    }
    return { ...value, nanoOfDay: floorTo(value.nanoOfDay ?? 0, nanos) };
  }
  throw argumentError(`${type.name}.truncate() has no unit '${unit.slice(0, 60)}'`);
}

/** A nanosecond set after truncation to milliseconds counts within the millisecond that is left. */
function withKeptFractions(unit: string, fields: WrittenFields, nanoOfDay: number): WrittenFields {
  const { microsecond, nanosecond } = fields.time;
  const fraction = nanoOfDay % NANOS_PER_SECOND;
  if (unit === "millisecond" && (microsecond ?? nanosecond) !== undefined) {
    return withTime(fields, { millisecond: fraction / NANOS_PER_MILLI });
  }
  if (unit === "microsecond" && nanosecond !== undefined) {
    return withTime(fields, { microsecond: fraction / NANOS_PER_MICRO });
  }
  return fields;
}

function withTime(fields: WrittenFields, time: TimeFields): WrittenFields {
  return { ...fields, time: { ...fields.time, ...time } };
}

function floorTo(value: number, unit: number): number {
  return Math.floor(value / unit) * unit;
}
