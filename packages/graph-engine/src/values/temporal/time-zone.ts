import { argumentError } from "../query-errors.ts";
import { toEpochDay } from "./calendar.ts";
import { SECONDS_PER_DAY } from "./units.ts";

/** Where a local time is: at a fixed offset from UTC in seconds, or in a named zone with its rules. */
export type TimeZone = { readonly offsetSeconds: number } | { readonly name: string };

export const UTC: TimeZone = { offsetSeconds: 0 };

const MAX_OFFSET_SECONDS = 18 * 3_600;
const OFFSET_TEXT = /^(?:Z|([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?)$/i;

/**
 * A zone by its text: `Z`, `+01:00`, `+0100`, `+01`, `+02:05:59`, or a name such as `Europe/Stockholm`.
 *
 * @throws InvalidArguments for an unknown name and for offsets beyond 18 hours
 */
export function parseTimeZone(text: string): TimeZone {
  const offset = OFFSET_TEXT.exec(text);
  return offset === null ? { name: knownZoneName(text) } : { offsetSeconds: offsetOf(offset) };
}

/** `Z`, `+01:00`, `-02:05:07`. */
export function offsetText(offsetSeconds: number): string {
  if (offsetSeconds === 0) {
    return "Z";
  }
  const seconds = Math.abs(offsetSeconds);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const written = parts[2] === 0 ? parts.slice(0, 2) : parts;
  return (offsetSeconds < 0 ? "-" : "+") + written.map((part) => String(part).padStart(2, "0")).join(":");
}

/** The offset of a zone at an instant, in seconds since 1970 UTC. */
export function offsetAt(zone: TimeZone, epochSecond: number): number {
  return "name" in zone ? namedOffsetAt(zone.name, epochSecond) : zone.offsetSeconds;
}

/**
 * The offset at a local time, in seconds since 1970 as a clock on the wall shows it. Where the clock was put back, so
 * that the time came twice, it is `preferred` if that is one of the two, else the earlier one. Where it was put
 * forward, it is the offset before: the local time must then be moved by the gap (see {@link gapAt}).
 */
export function offsetAtLocal(zone: TimeZone, localSecond: number, preferred?: number): number {
  if (!("name" in zone)) {
    return zone.offsetSeconds;
  }
  const before = namedOffsetAt(zone.name, localSecond - SECONDS_PER_DAY);
  const after = namedOffsetAt(zone.name, localSecond + SECONDS_PER_DAY);
  const valid = [preferred, before, after].filter(
    (offset): offset is number => offset !== undefined && namedOffsetAt(zone.name, localSecond - offset) === offset,
  );
  return valid[0] ?? before;
}

/** How far a local time must be moved forward because the clock jumped over it; 0 nearly always. */
export function gapAt(zone: TimeZone, localSecond: number, offsetSeconds: number): number {
  return "name" in zone ? namedOffsetAt(zone.name, localSecond - offsetSeconds) - offsetSeconds : 0;
}

function offsetOf([text, sign, hours = "0", minutes = "0", seconds = "0"]: RegExpExecArray): number {
  const magnitude = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  if (magnitude > MAX_OFFSET_SECONDS || Number(minutes) > 59 || Number(seconds) > 59) {
    throw argumentError(`Invalid time zone offset '${text}': at most 18 hours`);
  }
  return sign === "-" ? -magnitude + 0 : magnitude;
}

function knownZoneName(name: string): string {
  if (!/^[A-Za-z][\w+/-]{0,60}$/.test(name) || findFormat(name) === undefined) {
    throw argumentError(`Unknown time zone '${name.slice(0, 60)}'`);
  }
  return name.toUpperCase() === "UTC" ? "UTC" : name;
}

/** Time zones are data that never change while we run; there are some hundred names. */
const formats = new Map<string, Intl.DateTimeFormat>();

function findFormat(name: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(name);
  if (known !== undefined) {
    return known;
  }
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(name, format);
    return format;
  } catch {
    return undefined;
  }
}

/** What JavaScript's dates can hold, with a margin; beyond, rules repeat with the calendar's 400 years. */
const DATE_LIMIT_SECONDS = 8_600_000_000_000;
const SECONDS_PER_ERA = 146_097 * SECONDS_PER_DAY;

function namedOffsetAt(name: string, epochSecond: number): number {
  if (Math.abs(epochSecond) > DATE_LIMIT_SECONDS) {
    return namedOffsetAt(name, (epochSecond % SECONDS_PER_ERA) + (epochSecond > 0 ? 5 : -5) * SECONDS_PER_ERA);
  }
  const format = findFormat(name);
  if (format === undefined) {
    throw argumentError(`Unknown time zone '${name.slice(0, 60)}'`);
  }
  const fields = new Map(
    format.formatToParts(epochSecond * 1_000).map(({ type, value }): [string, string] => [type, value]),
  );
  const field = (type: string): number => Number(fields.get(type) ?? 0);
  const yearOfEra = field("year");
  const shownDay = toEpochDay({
    year: fields.get("era")?.startsWith("B") === true ? 1 - yearOfEra : yearOfEra,
    month: field("month"),
    day: field("day"),
  });
  const shownSecond = field("hour") * 3_600 + field("minute") * 60 + field("second");
  return shownDay * SECONDS_PER_DAY + shownSecond - epochSecond;
}
