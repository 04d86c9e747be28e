/**
 * Temporal values as plain numbers; calendar, zones and texts are the engine's business. A day counts from 1970-01-01
 * (negative before) in the proleptic Gregorian calendar, a nanosecond of day from midnight (below 86,400 × 10^9).
 */
export class DateValue {
  readonly epochDay: number;

  constructor(epochDay: number) {
    this.epochDay = epochDay;
  }
}

/** A time of day without a zone. */
export class LocalTimeValue {
  readonly nanoOfDay: number;

  constructor(nanoOfDay: number) {
    this.nanoOfDay = nanoOfDay;
  }
}

/** A time of day at an offset from UTC in seconds, east positive. */
export class TimeValue {
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;

  constructor(nanoOfDay: number, offsetSeconds: number) {
    this.nanoOfDay = nanoOfDay;
    this.offsetSeconds = offsetSeconds;
  }
}

/** A day and a time of day without a zone. */
export class LocalDateTimeValue {
  readonly epochDay: number;
  readonly nanoOfDay: number;

  constructor(epochDay: number, nanoOfDay: number) {
    this.epochDay = epochDay;
    this.nanoOfDay = nanoOfDay;
  }
}

/** A local day and time with its offset from UTC; `zone` is the named zone (`Europe/Paris`) the offset came from, if any. */
export class DateTimeValue {
  readonly epochDay: number;
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;
  readonly zone: string | undefined;

  constructor(epochDay: number, nanoOfDay: number, offsetSeconds: number, zone?: string) {
    this.epochDay = epochDay;
    this.nanoOfDay = nanoOfDay;
    this.offsetSeconds = offsetSeconds;
    this.zone = zone;
  }
}

/** Months, days and seconds apart, as none of them is a fixed number of another; `nanos` from 0 to 999,999,999. */
export class DurationValue {
  readonly months: number;
  readonly days: number;
  /** Whole seconds, downwards: -0.5 s are -1 and 500,000,000 ns. Can be beyond 2^53. */
  readonly seconds: bigint;
  readonly nanos: number;

  constructor(months: number, days: number, seconds: bigint, nanos: number) {
    this.months = months;
    this.days = days;
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

export type TemporalValue = DateValue | LocalTimeValue | TimeValue | LocalDateTimeValue | DateTimeValue | DurationValue;

/** Coordinate systems by their EPSG-like numbers: 7203 and 9157 plane and space, 4326 and 4979 on the globe. */
export type CoordinateSystem = 7203 | 9157 | 4326 | 4979;

/** A point of two or three coordinates, as its system has it; on the globe longitude comes before latitude. */
export class PointValue {
  readonly system: CoordinateSystem;
  readonly coordinates: readonly number[];

  constructor(system: CoordinateSystem, coordinates: readonly number[]) {
    this.system = system;
    this.coordinates = coordinates;
  }
}
