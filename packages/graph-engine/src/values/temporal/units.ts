export const NANOS_PER_SECOND = 1_000_000_000;
export const NANOS_PER_MILLI = 1_000_000;
export const NANOS_PER_MICRO = 1_000;
export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 3_600;
export const SECONDS_PER_DAY = 86_400;
export const NANOS_PER_MINUTE: number = SECONDS_PER_MINUTE * NANOS_PER_SECOND;
export const NANOS_PER_HOUR: number = SECONDS_PER_HOUR * NANOS_PER_SECOND;
export const NANOS_PER_DAY: number = SECONDS_PER_DAY * NANOS_PER_SECOND;
/** A 4,800th of 400 Gregorian years: what a part of a month is worth. */
export const SECONDS_PER_AVERAGE_MONTH = 2_629_746;
