import { argumentError } from "../query-errors.ts";
import {
  firstDayOf,
  firstDayOfQuarter,
  firstMondayOf,
  fromEpochDay,
  daysInMonth,
  isLeapYear,
  MAX_YEAR,
  quarterOf,
  toEpochDay,
  weekDateOf,
  weeksIn,
} from "./calendar.ts";
import { checkedField } from "./limits.ts";
import { NANOS_PER_HOUR, NANOS_PER_MICRO, NANOS_PER_MILLI, NANOS_PER_MINUTE, NANOS_PER_SECOND } from "./units.ts";

/** What may be said about a day; one family of fields at a time. */
export interface DateFields {
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly day?: number | undefined;
  readonly week?: number | undefined;
  readonly dayOfWeek?: number | undefined;
  readonly quarter?: number | undefined;
  readonly dayOfQuarter?: number | undefined;
  readonly ordinalDay?: number | undefined;
}

export interface TimeFields {
  readonly hour?: number | undefined;
  readonly minute?: number | undefined;
  readonly second?: number | undefined;
  readonly millisecond?: number | undefined;
  readonly microsecond?: number | undefined;
  readonly nanosecond?: number | undefined;
}

/**
 * The day that `fields` name. What they leave out comes from `base`, as that field of it; without a base the year must
 * be said, a larger field before a smaller one, and what is left out is the first.
 *
 * @throws InvalidArguments for fields out of range, missing or of two families
 */
export function dayOfFields(fields: DateFields, base: number | undefined): number {
  if (fields.week !== undefined || fields.dayOfWeek !== undefined) {
    return dayOfWeekFields(fields, base);
  }
  const year = yearOf(fields, base === undefined ? undefined : fromEpochDay(base).year);
  if (fields.quarter !== undefined || fields.dayOfQuarter !== undefined) {
    return dayOfQuarterFields(fields, year, base);
  }
  if (fields.ordinalDay !== undefined) {
    return firstDayOf(year) + checkedField("ordinalDay", fields.ordinalDay, 1, isLeapYear(year) ? 366 : 365) - 1;
  }
  if (base === undefined && fields.day !== undefined && fields.month === undefined) {
    throw missing("month");
  }
  const known = base === undefined ? { month: 1, day: 1 } : fromEpochDay(base);
  const month = checkedField("month", fields.month ?? known.month, 1, 12);
  return toEpochDay({ year, month, day: checkedField("day", fields.day ?? known.day, 1, daysInMonth(year, month)) });
}

/**
 * The nanosecond of day that `fields` name; what they leave out comes from `base`. Fractions of a second given
 * together add up: then each counts from 0 to 999; without a base a larger field must come with a smaller one.
 *
 * @throws InvalidArguments for fields out of range or missing
 */
export function nanoOfFields(fields: TimeFields, base: number | undefined): number {
  if (base === undefined) {
    mustHaveLarger(fields);
  }
  const known = base ?? 0;
  const hour = checkedField("hour", fields.hour ?? Math.floor(known / NANOS_PER_HOUR), 0, 23);
  const minute = checkedField("minute", fields.minute ?? Math.floor(known / NANOS_PER_MINUTE) % 60, 0, 59);
  const second = checkedField("second", fields.second ?? Math.floor(known / NANOS_PER_SECOND) % 60, 0, 59);
  const nano = fractionOf(fields) ?? known % NANOS_PER_SECOND;
  return hour * NANOS_PER_HOUR + minute * NANOS_PER_MINUTE + second * NANOS_PER_SECOND + nano;
}

function fractionOf({ millisecond, microsecond, nanosecond }: TimeFields): number | undefined {
  if (millisecond === undefined && microsecond === undefined && nanosecond === undefined) {
    return undefined;
  }
  const maxMicrosecond = millisecond === undefined ? 999_999 : 999;
  const maxNanosecond = microsecond !== undefined ? 999 : millisecond !== undefined ? 999_999 : 999_999_999;
  return (
    checkedField("millisecond", millisecond ?? 0, 0, 999) * NANOS_PER_MILLI +
    checkedField("microsecond", microsecond ?? 0, 0, maxMicrosecond) * NANOS_PER_MICRO +
    checkedField("nanosecond", nanosecond ?? 0, 0, maxNanosecond)
  );
}

function mustHaveLarger({ hour, minute, second, millisecond, microsecond, nanosecond }: TimeFields): void {
  const hasFraction = (millisecond ?? microsecond ?? nanosecond) !== undefined;
  if (hour === undefined) {
    throw missing("hour");
  }
  if (minute === undefined && (second !== undefined || hasFraction)) {
    throw missing("minute");
  }
  if (second === undefined && hasFraction) {
    throw missing("second");
  }
}

function dayOfWeekFields(fields: DateFields, base: number | undefined): number {
  const known = base === undefined ? undefined : weekDateOf(base);
  const year = yearOf(fields, known?.weekYear);
  if (known === undefined && fields.week === undefined) {
    throw missing("week");
  }
  const week = checkedField("week", fields.week ?? known?.week ?? 1, 1, weeksIn(year));
  const weekDay = checkedField("dayOfWeek", fields.dayOfWeek ?? known?.weekDay ?? 1, 1, 7);
  return firstMondayOf(year) + (week - 1) * 7 + weekDay - 1;
}

function dayOfQuarterFields(fields: DateFields, year: number, base: number | undefined): number {
  if (base === undefined && fields.quarter === undefined) {
    throw missing("quarter");
  }
  const known = base === undefined ? undefined : fromEpochDay(base);
  const knownQuarter = known === undefined ? 1 : quarterOf(known.month);
  const knownDay = known === undefined ? 1 : (base ?? 0) - firstDayOfQuarter(known.year, knownQuarter) + 1;
  const first = firstDayOfQuarter(year, checkedField("quarter", fields.quarter ?? knownQuarter, 1, 4));
  return first + checkedField("dayOfQuarter", fields.dayOfQuarter ?? knownDay, 1, 92) - 1;
}

function yearOf(fields: DateFields, known: number | undefined): number {
  const year = fields.year ?? known;
  if (year === undefined) {
    throw missing("year");
  }
  return checkedField("year", year, -MAX_YEAR, MAX_YEAR);
}

function missing(name: string): Error {
  return argumentError(`${name} must be specified`);
}
