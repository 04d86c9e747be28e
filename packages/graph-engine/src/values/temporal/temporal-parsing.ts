import { type DurationValue } from "@trefoil/graph-store";
import { argumentError } from "../query-errors.ts";
import { durationOfParts, type Fraction, fractionOfText, product, sum, whole, ZERO } from "./duration.ts";
import { type DateFields, type TimeFields } from "./temporal-fields.ts";
import { parseTimeZone, type TimeZone } from "./time-zone.ts";
import { NANOS_PER_SECOND } from "./units.ts";

/** What a text of ISO 8601 says; parts that it leaves out are `undefined`. */
export interface ParsedTemporal {
  readonly date: DateFields | undefined;
  readonly time: TimeFields | undefined;
  /** An offset that was written beside a zone's name, or alone. */
  readonly offset: TimeZone | undefined;
  readonly zone: TimeZone | undefined;
}

const DATE =
  String.raw`(?<year>[+-]\d{1,9}(?=-|T|$)|\d{4})` +
  String.raw`(?:-?W(?<week>\d{2})(?:-?(?<dayOfWeek>\d))?` +
  String.raw`|-?Q(?<quarter>\d)(?:-?(?<dayOfQuarter>\d{1,2}))?` +
  String.raw`|-?(?<ordinalDay>\d{3})` +
  String.raw`|-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?` +
  String.raw`|(?<plainMonth>\d{2})(?<plainDay>\d{2})?)?`;
const TIME = String.raw`(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?`;
const ZONE = String.raw`(?<offset>Z|[+-]\d{1,2}(?::?\d{2}(?::?\d{2})?)?)?(?:\[(?<zone>[^\]]{1,60})\])?`;

const DATE_TEXT = new RegExp(`^${DATE}$`, "i");
const TIME_TEXT = new RegExp(`^T?${TIME}${ZONE}$`, "i");
const DATE_TIME_TEXT = new RegExp(`^${DATE}(?:T${TIME})?${ZONE}$`, "i");

/** Dates, times and both together, in the basic and the extended form. @throws InvalidArguments */
export function parseTemporal(text: string, what: "date" | "time" | "date and time"): ParsedTemporal {
  const pattern = what === "date" ? DATE_TEXT : what === "time" ? TIME_TEXT : DATE_TIME_TEXT;
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) {
    throw argumentError(`Text cannot be read as a ${what}: '${text.slice(0, 100)}'`);
  }
  const zone = groups["zone"];
  const offset = groups["offset"];
  return {
    date: groups["year"] === undefined ? undefined : dateFields(groups),
    time: groups["hour"] === undefined ? undefined : timeFields(groups),
    offset: offset === undefined ? undefined : parseTimeZone(offset),
    zone: zone === undefined ? undefined : parseTimeZone(zone),
  };
}

function dateFields(groups: Readonly<Record<string, string | undefined>>): DateFields {
  const number = (name: string): number | undefined => (groups[name] === undefined ? undefined : Number(groups[name]));
  return {
    year: number("year"),
    month: number("month") ?? number("plainMonth"),
    day: number("day") ?? number("plainDay"),
    week: number("week"),
    dayOfWeek: number("dayOfWeek"),
    quarter: number("quarter"),
    dayOfQuarter: number("dayOfQuarter"),
    ordinalDay: number("ordinalDay"),
  };
}

function timeFields(groups: Readonly<Record<string, string | undefined>>): TimeFields {
  return {
    hour: Number(groups["hour"]),
    minute: Number(groups["minute"] ?? 0),
    second: Number(groups["second"] ?? 0),
    nanosecond: Number((groups["fraction"] ?? "").padEnd(9, "0")),
  };
}

const NUMBER = String.raw`([+-]?\d{1,18}(?:[.,]\d{1,18})?)`;
const DURATION_TEXT = new RegExp(
  `^([+-])?P(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?` +
    `(?:T(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
  "i",
);
/** `P2012-02-02T14:37:21.545`: a duration written like a date. */
const DATE_LIKE_DURATION = /^P(\d{1,9})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2}(?:[.,]\d{1,9})?))?$/i;

/** A duration's text: `P12Y5M14DT16H12M70.5S`, parts with signs and fractions. @throws InvalidArguments */
export function parseDuration(text: string): DurationValue {
  const units = DURATION_TEXT.exec(text)?.slice(1);
  const dateLike = DATE_LIKE_DURATION.exec(text);
  if (dateLike !== null) {
    const [years, months, days, hours, minutes, seconds] = dateLike.slice(1);
    return fromUnits(["+", years, months, undefined, days, hours, minutes, seconds]);
  }
  if (units === undefined || units.slice(1).every((unit) => unit === undefined) || /T$/i.test(text)) {
    throw argumentError(`Text cannot be read as a duration: '${text.slice(0, 100)}'`);
  }
  return fromUnits(units);
}

function fromUnits([sign, ...units]: readonly (string | undefined)[]): DurationValue {
  const factor = whole(sign === "-" ? -1n : 1n);
  const [years, months, weeks, days, hours, minutes, seconds] = units.map((unit) =>
    unit === undefined ? ZERO : product(factor, fractionOfText(unit.replace(",", ".").replace(/^\+/, ""))),
  );
  const times = (unit: Fraction | undefined, count: number): Fraction => product(unit ?? ZERO, whole(BigInt(count)));
  return durationOfParts({
    months: sum(times(years, 12), times(months, 1)),
    days: sum(times(weeks, 7), times(days, 1)),
    nanos: times(sum(sum(times(hours, 3_600), times(minutes, 60)), times(seconds, 1)), NANOS_PER_SECOND),
  });
}
