import {
  DateTimeValue,
  DateValue,
  LocalDateTimeValue,
  LocalTimeValue,
  type TemporalValue,
  TimeValue,
} from "@trefoil/graph-store";
import { parseTemporal, type ParsedTemporal } from "../../values/temporal/temporal-parsing.ts";
import { dayOfFields, nanoOfFields } from "../../values/temporal/temporal-fields.ts";
import { offsetAt, type TimeZone, UTC } from "../../values/temporal/time-zone.ts";
import { atInstant, atLocal, carried, instantOf, zoneOf } from "../../values/temporal/zoned.ts";
import { argumentError } from "../../values/query-errors.ts";
import { NANOS_PER_SECOND } from "../../values/temporal/units.ts";

/** What can be taken from a temporal value to make another: each part only when the value has it. */
export interface TemporalParts {
  readonly epochDay?: number | undefined;
  readonly nanoOfDay?: number | undefined;
  readonly zone?: TimeZone | undefined;
  /** Which of two offsets is meant where a clock was put back. */
  readonly offsetSeconds?: number | undefined;
}

/** How one of the five types is made of parts. */
export interface TemporalType {
  readonly name: "date" | "localtime" | "time" | "localdatetime" | "datetime";
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly hasZone: boolean;
  /** @throws InvalidArguments when a part is missing that cannot be left out */
  readonly make: (parts: TemporalParts) => TemporalValue;
}

export const TEMPORAL_TYPES: readonly TemporalType[] = [
  {
    name: "date",
    hasDate: true,
    hasTime: false,
    hasZone: false,
    make: (parts) => new DateValue(needed(parts.epochDay, "a date")),
  },
  {
    name: "localtime",
    hasDate: false,
    hasTime: true,
    hasZone: false,
    make: (parts) => new LocalTimeValue(needed(parts.nanoOfDay, "a time")),
  },
  {
    name: "time",
    hasDate: false,
    hasTime: true,
    hasZone: true,
    make: (parts) => new TimeValue(needed(parts.nanoOfDay, "a time"), offsetOfParts(parts)),
  },
  {
    name: "localdatetime",
    hasDate: true,
    hasTime: true,
    hasZone: false,
    make: (parts) => new LocalDateTimeValue(needed(parts.epochDay, "a date"), parts.nanoOfDay ?? 0),
  },
  {
    name: "datetime",
    hasDate: true,
    hasTime: true,
    hasZone: true,
    make: (parts) =>
      atLocal(
        { epochDay: needed(parts.epochDay, "a date"), nanoOfDay: parts.nanoOfDay ?? 0 },
        parts.zone ?? UTC,
        parts.offsetSeconds,
      ),
  },
];

/** The parts of a value; a duration has none. @throws InvalidArguments for a duration */
export function partsOf(value: TemporalValue): TemporalParts {
  if (value instanceof DateValue) {
    return { epochDay: value.epochDay };
  }
  if (value instanceof LocalTimeValue) {
    return { nanoOfDay: value.nanoOfDay };
  }
  if (value instanceof TimeValue) {
    const { nanoOfDay, offsetSeconds } = value;
    return { nanoOfDay, zone: { offsetSeconds }, offsetSeconds };
  }
  if (value instanceof LocalDateTimeValue) {
    return { epochDay: value.epochDay, nanoOfDay: value.nanoOfDay };
  }
  if (value instanceof DateTimeValue) {
    const { epochDay, nanoOfDay, offsetSeconds } = value;
    return { epochDay, nanoOfDay, offsetSeconds, zone: zoneOf(value) };
  }
  throw argumentError("A duration is no point in time");
}

/** The same moment as a clock in another zone shows it; without a date only the offset can differ. */
export function movedToZone(parts: TemporalParts, zone: TimeZone, atEpochSecond: number): TemporalParts {
  if (parts.zone === undefined) {
    return { ...parts, zone, offsetSeconds: undefined };
  }
  if (parts.epochDay === undefined) {
    const offsetSeconds = offsetAt(zone, atEpochSecond);
    const shift = offsetSeconds - offsetOfParts(parts);
    return {
      nanoOfDay: carried(0, (parts.nanoOfDay ?? 0) + shift * NANOS_PER_SECOND).nanoOfDay,
      zone: { offsetSeconds },
      offsetSeconds,
    };
  }
  const local = { epochDay: parts.epochDay, nanoOfDay: parts.nanoOfDay ?? 0 };
  return partsOf(atInstant(instantOf(atLocal(local, parts.zone, parts.offsetSeconds)), zone));
}

/** What a text says about a value of `type`. @throws InvalidArguments */
export function partsOfText(text: string, type: TemporalType): TemporalParts {
  const what = !type.hasTime ? "date" : type.hasDate ? "date and time" : "time";
  const parsed = parseTemporal(text, what);
  return {
    epochDay: parsed.date === undefined ? undefined : dayOfFields(parsed.date, undefined),
    nanoOfDay: parsed.time === undefined ? undefined : nanoOfFields(parsed.time, 0),
    ...zoneOfText(parsed, text),
  };
}

function zoneOfText({ date, time, offset, zone }: ParsedTemporal, text: string): TemporalParts {
  if (zone === undefined || offset === undefined || date === undefined) {
    return { zone: zone ?? offset };
  }
  const preferred = "offsetSeconds" in offset ? offset.offsetSeconds : 0;
  const local = { epochDay: dayOfFields(date, undefined), nanoOfDay: time === undefined ? 0 : nanoOfFields(time, 0) };
  if (atLocal(local, zone, preferred).offsetSeconds !== preferred) {
    throw argumentError(`The offset is none that the time zone has then: '${text.slice(0, 100)}'`);
  }
  return { zone, offsetSeconds: preferred };
}

function offsetOfParts({ zone, offsetSeconds }: TemporalParts): number {
  return offsetSeconds ?? (zone !== undefined && "offsetSeconds" in zone ? zone.offsetSeconds : 0);
}

function needed(part: number | undefined, what: string): number {
  if (part === undefined) {
    throw argumentError(`${what} must be specified`);
  }
  return part;
}
