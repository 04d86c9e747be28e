import {
  type DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  type TemporalValue,
  TimeValue,
} from "@trefoil/graph-store";
import { plusMonths } from "./calendar.ts";
import { checkedDay } from "./limits.ts";
import { plusDuration } from "./duration.ts";
import { carried, type DayAndNano } from "./zoned.ts";
import { atInstant, atLocal, instantOf, zoneOf } from "./zoned.ts";
import { NANOS_PER_SECOND, SECONDS_PER_DAY } from "./units.ts";

/**
 * `value + duration` (sign 1) or `value - duration` (sign -1): first months, then days, on the calendar, then seconds,
 * in a zone on the time line. A date takes whole days of the seconds, a time nothing but them, round the clock.
 *
 * @throws ArithmeticError when a part leaves its range
 */
export function addDuration(value: TemporalValue, duration: DurationValue, sign: 1 | -1): TemporalValue {
  if (value instanceof DurationValue) {
    return plusDuration(value, duration, sign === 1 ? 1n : -1n);
  }
  const { days, nanos } = signedTime(duration, sign);
  if (value instanceof LocalTimeValue) {
    return new LocalTimeValue(carried(0, value.nanoOfDay + nanos).nanoOfDay);
  }
  if (value instanceof TimeValue) {
    return new TimeValue(carried(0, value.nanoOfDay + nanos).nanoOfDay, value.offsetSeconds);
  }
  const epochDay = checkedDay(plusMonths(value.epochDay, sign * duration.months) + sign * duration.days);
  if (value instanceof DateValue) {
    // Whole days towards zero: 33 hours are one day, -9 hours none.
    return new DateValue(checkedDay(epochDay + wholeDays(duration, sign)));
  }
  if (value instanceof LocalDateTimeValue) {
    const moved = carried(epochDay + days, value.nanoOfDay + nanos);
    return new LocalDateTimeValue(checkedDay(moved.epochDay), moved.nanoOfDay);
  }
  return zonedPlus(value, { epochDay, nanoOfDay: value.nanoOfDay }, { epochDay: days, nanoOfDay: nanos });
}

function zonedPlus(value: DateTimeValue, local: DayAndNano, time: DayAndNano): DateTimeValue {
  const moved = atLocal(local, zoneOf(value), value.offsetSeconds);
  if (time.epochDay === 0 && time.nanoOfDay === 0) {
    return moved;
  }
  const instant = instantOf(moved);
  const later = carried(instant.epochDay + time.epochDay, instant.nanoOfDay + time.nanoOfDay);
  checkedDay(later.epochDay);
  return atInstant(later, zoneOf(value));
}

/** The seconds of a duration as days of 24 hours and a rest in nanoseconds, both of them signed. */
function signedTime(
  { seconds, nanos }: DurationValue,
  sign: 1 | -1,
): { readonly days: number; readonly nanos: number } {
  const day = BigInt(SECONDS_PER_DAY);
  return {
    days: sign * Number(seconds / day) + 0,
    nanos: sign * (Number(seconds % day) * NANOS_PER_SECOND + nanos) + 0,
  };
}

function wholeDays({ seconds, nanos }: DurationValue, sign: 1 | -1): number {
  const day = BigInt(SECONDS_PER_DAY);
  const towardsZero = seconds < 0n && nanos > 0 ? seconds + 1n : seconds;
  return sign * Number(towardsZero / day) + 0;
}
