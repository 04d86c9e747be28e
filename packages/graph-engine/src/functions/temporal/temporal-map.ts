import { argumentError } from "../../values/query-errors.ts";
import { type DateFields, dayOfFields, nanoOfFields, type TimeFields } from "../../values/temporal/temporal-fields.ts";
import { offsetAt, parseTimeZone, type TimeZone } from "../../values/temporal/time-zone.ts";
import { atInstant } from "../../values/temporal/zoned.ts";
import { type MapValue, type Value } from "../../values/value.ts";
import { isInteger, isTemporal } from "../../values/value-kind.ts";
import { describeType } from "../../values/type-of.ts";
import { movedToZone, partsOf, type TemporalParts, type TemporalType } from "./temporal-types.ts";

const DATE_KEYS = ["year", "month", "day", "week", "dayOfWeek", "quarter", "dayOfQuarter", "ordinalDay"] as const;
const TIME_KEYS = ["hour", "minute", "second", "millisecond", "microsecond", "nanosecond"] as const;
const OTHER_KEYS = ["date", "time", "datetime", "timezone", "epochSeconds", "epochMillis"];
const ALL_KEYS: ReadonlySet<string> = new Set([...DATE_KEYS, ...TIME_KEYS, ...OTHER_KEYS]);

/** Fields of dates and times in a map, every one of them an INTEGER. */
export interface WrittenFields {
  readonly date: DateFields;
  readonly time: TimeFields;
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly zone: TimeZone | undefined;
}

/**
 * The parts of a value that a map describes: fields, on top of the values under `date`, `time` and `datetime`; with
 * `timezone` the same moment in that zone, if there was a zone before.
 *
 * @throws InvalidArguments for unknown keys, fields out of range or missing
 */
export function partsOfMap(map: MapValue, type: TemporalType, nowEpochSecond: number): TemporalParts {
  const fields = readFields(map);
  const epoch = epochOf(map);
  if (epoch !== undefined) {
    const utc = { epochDay: Math.floor(epoch.second / 86_400), nanoOfDay: 0 };
    const nanoOfDay = (epoch.second - utc.epochDay * 86_400) * 1e9 + epoch.nano + (fields.time.nanosecond ?? 0);
    return partsOf(atInstant({ ...utc, nanoOfDay }, fields.zone ?? { offsetSeconds: 0 }));
  }
  const whole = baseOf(map, "datetime");
  const base: TemporalParts = { ...whole, ...dayOf(baseOf(map, "date")), ...withoutDay(baseOf(map, "time")) };
  const parts = applyFields(base, fields, type);
  const zone = type.hasZone ? fields.zone : undefined;
  if (zone === undefined) {
    return parts;
  }
  return parts.zone === undefined && !type.hasDate
    ? { ...parts, zone: { offsetSeconds: offsetAt(zone, nowEpochSecond) } }
    : movedToZone(parts, zone, nowEpochSecond);
}

/** `base` with what the fields say; what they leave out stays, or is the first where there was nothing. */
export function applyFields(base: TemporalParts, fields: WrittenFields, type: TemporalType): TemporalParts {
  const changesDay = type.hasDate && (fields.hasDate || base.epochDay === undefined);
  const changesTime = type.hasTime && (fields.hasTime || (base.nanoOfDay === undefined && !type.hasDate));
  return {
    ...base,
    epochDay: changesDay ? dayOfFields(fields.date, base.epochDay) : base.epochDay,
    nanoOfDay: changesTime ? nanoOfFields(fields.time, base.nanoOfDay) : base.nanoOfDay,
    offsetSeconds: fields.hasDate && base.zone !== undefined && "name" in base.zone ? undefined : base.offsetSeconds,
  };
}

/** @throws InvalidArguments for unknown keys and fields that are no INTEGER */
export function readFields(map: MapValue): WrittenFields {
  for (const key of map.keys()) {
    if (!ALL_KEYS.has(key)) {
      throw argumentError(`Unknown field '${key.slice(0, 60)}' of a temporal value`);
    }
  }
  const timezone = map.get("timezone") ?? null;
  return {
    date: Object.fromEntries(DATE_KEYS.map((key) => [key, wholeField(map, key)])),
    time: Object.fromEntries(TIME_KEYS.map((key) => [key, wholeField(map, key)])),
    hasDate: DATE_KEYS.some((key) => map.has(key)),
    hasTime: TIME_KEYS.some((key) => map.has(key)),
    zone: timezone === null ? undefined : parseTimeZone(zoneText(timezone)),
  };
}

function wholeField(map: MapValue, key: string): number | undefined {
  const value = map.get(key);
  if (value === undefined || value === null) {
    return undefined;
  }
  if (!isInteger(value)) {
    throw argumentError(`${key} must be an INTEGER but was ${describeType(value)}`);
  }
  return Number(value);
}

function zoneText(value: NonNullable<Value>): string {
  if (typeof value !== "string") {
    throw argumentError(`timezone must be a STRING but was ${describeType(value)}`);
  }
  return value;
}

function baseOf(map: MapValue, key: "date" | "time" | "datetime"): TemporalParts {
  const value = map.get(key);
  if (value === undefined || value === null) {
    return {};
  }
  if (!isTemporal(value)) {
    throw argumentError(`${key} must be a temporal value but was ${describeType(value)}`);
  }
  const parts = partsOf(value);
  if (key !== "time" && parts.epochDay === undefined) {
    throw argumentError(`${key} must be a value with a date`);
  }
  if (key !== "date" && parts.nanoOfDay === undefined && key === "time") {
    throw argumentError("time must be a value with a time");
  }
  return parts;
}

function dayOf(parts: TemporalParts): TemporalParts {
  return parts.epochDay === undefined ? {} : { epochDay: parts.epochDay };
}

function withoutDay({ nanoOfDay, zone, offsetSeconds }: TemporalParts): TemporalParts {
  return nanoOfDay === undefined ? {} : { nanoOfDay, zone, offsetSeconds };
}

function epochOf(map: MapValue): { readonly second: number; readonly nano: number } | undefined {
  const seconds = wholeField(map, "epochSeconds");
  const millis = wholeField(map, "epochMillis");
  if (seconds !== undefined) {
    return { second: seconds, nano: 0 };
  }
  if (millis === undefined) {
    return undefined;
  }
  const second = Math.floor(millis / 1_000);
  return { second, nano: (millis - second * 1_000) * 1_000_000 };
}
