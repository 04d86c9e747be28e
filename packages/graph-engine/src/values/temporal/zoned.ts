import { DateTimeValue } from "@trefoil/graph-store";
import { gapAt, offsetAt, offsetAtLocal, type TimeZone } from "./time-zone.ts";
import { NANOS_PER_DAY, NANOS_PER_SECOND, SECONDS_PER_DAY } from "./units.ts";

/** A day and a nanosecond of it, in UTC or on a wall clock. */
export interface DayAndNano {
  readonly epochDay: number;
  readonly nanoOfDay: number;
}

/**
 * The moment when a wall clock in `zone` shows this local time. A time that the clock jumped over moves forward by the
 * jump; of a time that came twice the one at `preferredOffset` is taken, else the first.
 */
export function atLocal(local: DayAndNano, zone: TimeZone, preferredOffset?: number): DateTimeValue {
  const localSecond = secondOf(local);
  const offset = offsetAtLocal(zone, localSecond, preferredOffset);
  const gap = gapAt(zone, localSecond, offset);
  const moved = carried(local.epochDay, local.nanoOfDay + gap * NANOS_PER_SECOND);
  return withZone(moved, offset + gap, zone);
}

/** What a wall clock in `zone` shows at a moment of UTC. */
export function atInstant(utc: DayAndNano, zone: TimeZone): DateTimeValue {
  const offset = offsetAt(zone, secondOf(utc));
  return withZone(carried(utc.epochDay, utc.nanoOfDay + offset * NANOS_PER_SECOND), offset, zone);
}

/** The moment of UTC of a local time at an offset. */
export function instantOf({
  epochDay,
  nanoOfDay,
  offsetSeconds,
}: DayAndNano & { readonly offsetSeconds: number }): DayAndNano {
  return carried(epochDay, nanoOfDay - offsetSeconds * NANOS_PER_SECOND);
}

export function zoneOf(value: DateTimeValue): TimeZone {
  return value.zone === undefined ? { offsetSeconds: value.offsetSeconds } : { name: value.zone };
}

/** Nanoseconds beyond a day, or below zero, carried over midnight. */
export function carried(epochDay: number, nanoOfDay: number): DayAndNano {
  const days = Math.floor(nanoOfDay / NANOS_PER_DAY);
  return { epochDay: epochDay + days, nanoOfDay: nanoOfDay - days * NANOS_PER_DAY };
}

function secondOf({ epochDay, nanoOfDay }: DayAndNano): number {
  return epochDay * SECONDS_PER_DAY + Math.floor(nanoOfDay / NANOS_PER_SECOND);
}

function withZone({ epochDay, nanoOfDay }: DayAndNano, offsetSeconds: number, zone: TimeZone): DateTimeValue {
  return "name" in zone
    ? new DateTimeValue(epochDay, nanoOfDay, offsetSeconds, zone.name)
    : new DateTimeValue(epochDay, nanoOfDay, offsetSeconds);
}
