import {
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  type TemporalValue,
  TimeValue,
} from "@trefoil/graph-store";
import { fromEpochDay } from "./calendar.ts";
import { offsetText } from "./time-zone.ts";
import { NANOS_PER_HOUR, NANOS_PER_MINUTE, NANOS_PER_SECOND } from "./units.ts";

const MAX_PLAIN_YEAR = 9_999;

/** The text of a temporal value in ISO 8601, as `toString` and results show it: only as precise as it needs to be. */
export function temporalText(value: TemporalValue): string {
  if (value instanceof DateValue) {
    return dateText(value.epochDay);
  }
  if (value instanceof LocalTimeValue) {
    return timeText(value.nanoOfDay);
  }
  if (value instanceof TimeValue) {
    return timeText(value.nanoOfDay) + offsetText(value.offsetSeconds);
  }
  if (value instanceof DurationValue) {
    return durationText(value);
  }
  const local = `${dateText(value.epochDay)}T${timeText(value.nanoOfDay)}`;
  if (value instanceof LocalDateTimeValue) {
    return local;
  }
  return local + offsetText(value.offsetSeconds) + (value.zone === undefined ? "" : `[${value.zone}]`);
}

/** `1984-10-11`; years of five and more digits with their sign. */
function dateText(epochDay: number): string {
  const { year, month, day } = fromEpochDay(epochDay);
  const sign = year < 0 ? "-" : year > MAX_PLAIN_YEAR ? "+" : "";
  return `${sign}${String(Math.abs(year)).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** `12:31`, `12:31:14`, `12:31:14.645`. */
function timeText(nanoOfDay: number): string {
  const hour = Math.floor(nanoOfDay / NANOS_PER_HOUR);
  const minute = Math.floor(nanoOfDay / NANOS_PER_MINUTE) % 60;
  const second = Math.floor(nanoOfDay / NANOS_PER_SECOND) % 60;
  const fraction = fractionText(nanoOfDay % NANOS_PER_SECOND);
  const seconds = second === 0 && fraction === "" ? "" : `:${twoDigits(second)}${fraction}`;
  return `${twoDigits(hour)}:${twoDigits(minute)}${seconds}`;
}

/** `P12Y5M14DT16H13M10.5S`: every part with its own sign, those of 0 left out; `PT0S` for nothing. */
function durationText({ months, days, seconds, nanos }: DurationValue): string {
  const date = part(Math.trunc(months / 12), "Y") + part(months % 12, "M") + part(days, "D");
  const isNegative = seconds < 0n;
  const wholeSeconds = isNegative && nanos > 0 ? -seconds - 1n : isNegative ? -seconds : seconds;
  const fraction = fractionText(isNegative && nanos > 0 ? NANOS_PER_SECOND - nanos : nanos);
  const sign = isNegative ? "-" : "";
  const signed = (amount: bigint, unit: string): string => (amount === 0n ? "" : `${sign}${amount}${unit}`);
  const secondsOfMinute = wholeSeconds % 60n;
  const time =
    signed(wholeSeconds / 3_600n, "H") +
    signed((wholeSeconds / 60n) % 60n, "M") +
    (secondsOfMinute === 0n && fraction === "" ? "" : `${sign}${secondsOfMinute}${fraction}S`);
  return date + time === "" ? "PT0S" : `P${date}${time === "" ? "" : `T${time}`}`;
}

function part(amount: number, unit: string): string {
  return amount === 0 ? "" : `${amount}${unit}`;
}

/** `.645` of 645,000,000 nanoseconds; empty for none. */
function fractionText(nanos: number): string {
  return nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
