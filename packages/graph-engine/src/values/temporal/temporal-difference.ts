import {
  DateTimeValue,
  DateValue,
  type DurationValue,
  LocalTimeValue,
  type TemporalValue,
  TimeValue,
} from "@trefoil/graph-store";
import { fromEpochDay, plusMonths } from "./calendar.ts";
import { durationOf } from "./duration.ts";
import { type TimeZone } from "./time-zone.ts";
import { NANOS_PER_DAY } from "./units.ts";
import { atInstant, atLocal, type DayAndNano, instantOf, zoneOf } from "./zoned.ts";

export type PointInTime = Exclude<TemporalValue, DurationValue>;

/** Both ends on one time line: local times in the first one's zone, and whether both had a date of their own. */
interface Span {
  readonly from: DayAndNano;
  readonly to: DayAndNano;
  readonly zone: TimeZone | undefined;
  readonly hasDates: boolean;
}

/** Months, then days on the calendar, then the rest in seconds. */
export function durationBetween(from: PointInTime, to: PointInTime): DurationValue {
  const span = spanOf(from, to);
  const months = span.hasDates ? monthsIn(span) : 0;
  const afterMonths = { ...span, from: { ...span.from, epochDay: plusMonths(span.from.epochDay, months) } };
  const days = span.hasDates ? daysIn(afterMonths) : 0;
  const afterDays = { ...span, from: { ...span.from, epochDay: afterMonths.from.epochDay + days } };
  return durationOf(BigInt(months), BigInt(days), nanosIn(afterDays));
}

/** Whole months only. */
export function monthsBetween(from: PointInTime, to: PointInTime): DurationValue {
  const span = spanOf(from, to);
  return durationOf(span.hasDates ? BigInt(monthsIn(span)) : 0n, 0n, 0n);
}

/** Whole days only. */
export function daysBetween(from: PointInTime, to: PointInTime): DurationValue {
  const span = spanOf(from, to);
  return durationOf(0n, span.hasDates ? BigInt(daysIn(span)) : 0n, 0n);
}

/** All of it in seconds, on the time line. */
export function secondsBetween(from: PointInTime, to: PointInTime): DurationValue {
  return durationOf(0n, 0n, nanosIn(spanOf(from, to)));
}

/** A side lends the other what that lacks: its date, its zone. A date is its midnight. */
function spanOf(from: PointInTime, to: PointInTime): Span {
  const fromDay = dayOf(from);
  const toDay = dayOf(to);
  const zone = ownZone(from) ?? ownZone(to);
  const start = { epochDay: fromDay ?? toDay ?? 0, nanoOfDay: nanoOf(from) };
  const end = { epochDay: toDay ?? fromDay ?? 0, nanoOfDay: nanoOf(to) };
  return {
    from: start,
    to: zone === undefined ? end : movedTo(zone, end, ownZone(to) ?? zone, to),
    zone,
    hasDates: fromDay !== undefined && toDay !== undefined,
  };
}

/** What a clock in `zone` shows when one in `own` shows `local`. */
function movedTo(zone: TimeZone, local: DayAndNano, own: TimeZone, value: PointInTime): DayAndNano {
  return own === zone ? local : atInstant(instantOf(atLocal(local, own, offsetOf(value))), zone);
}

function monthsIn({ from, to }: Span): number {
  const start = fromEpochDay(from.epochDay);
  const end = fromEpochDay(to.epochDay);
  const months = (end.year - start.year) * 12 + end.month - start.month;
  const reached = { ...from, epochDay: plusMonths(from.epochDay, months) };
  if (months > 0 && (end.day < start.day || isAfter(reached, to))) {
    return months - 1;
  }
  return months < 0 && (end.day > start.day || isAfter(to, reached)) ? months + 1 : months;
}

function daysIn({ from, to }: Span): number {
  const days = to.epochDay - from.epochDay;
  if (days > 0 && to.nanoOfDay < from.nanoOfDay) {
    return days - 1;
  }
  return days < 0 && to.nanoOfDay > from.nanoOfDay ? days + 1 : days;
}

function nanosIn({ from, to, zone }: Span): bigint {
  const start = zone === undefined ? from : instantOf(atLocal(from, zone));
  const end = zone === undefined ? to : instantOf(atLocal(to, zone));
  return (
    BigInt(end.epochDay - start.epochDay) * BigInt(NANOS_PER_DAY) + BigInt(end.nanoOfDay) - BigInt(start.nanoOfDay)
  );
}

function isAfter(left: DayAndNano, right: DayAndNano): boolean {
  return left.epochDay > right.epochDay || (left.epochDay === right.epochDay && left.nanoOfDay > right.nanoOfDay);
}

function dayOf(value: PointInTime): number | undefined {
  return value instanceof LocalTimeValue || value instanceof TimeValue ? undefined : value.epochDay;
}

function nanoOf(value: PointInTime): number {
  return value instanceof DateValue ? 0 : value.nanoOfDay;
}

function ownZone(value: PointInTime): TimeZone | undefined {
  if (value instanceof DateTimeValue) {
    return zoneOf(value);
  }
  return value instanceof TimeValue ? { offsetSeconds: value.offsetSeconds } : undefined;
}

function offsetOf(value: PointInTime): number | undefined {
  return value instanceof DateTimeValue || value instanceof TimeValue ? value.offsetSeconds : undefined;
}
