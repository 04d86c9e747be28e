/** A day of the proleptic Gregorian calendar; month and day count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A day by ISO 8601 weeks; weekday 1 is Monday. */
export interface WeekDate {
  readonly weekYear: number;
  readonly week: number;
  readonly weekDay: number;
}

export const MAX_YEAR = 999_999_999;

const DAYS_PER_ERA = 146_097;
const DAYS_TO_1970 = 719_468;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Days from 1970-01-01 to a date. Years are counted from March, so that the leap day is the last, in eras of 400
 * years, which all have the same number of days.
 */
export function toEpochDay({ year, month, day }: CalendarDate): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_1970;
}

/** The date so many days from 1970-01-01. */
export function fromEpochDay(epochDay: number): CalendarDate {
  const days = epochDay + DAYS_TO_1970;
  const era = Math.floor(days / DAYS_PER_ERA);
  const dayOfEra = days - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}

/** 1 is Monday, 7 Sunday. */
export function weekDayOf(epochDay: number): number {
  return ((((epochDay + 3) % 7) + 7) % 7) + 1;
}

export function weekDateOf(epochDay: number): WeekDate {
  const weekDay = weekDayOf(epochDay);
  // The Thursday of a week lies in the year the week belongs to.
  const thursday = epochDay - weekDay + 4;
  const weekYear = fromEpochDay(thursday).year;
  return { weekYear, week: Math.floor((thursday - firstDayOf(weekYear)) / 7) + 1, weekDay };
}

/** The Monday of a year's first week, which is the one with January 4. */
export function firstMondayOf(weekYear: number): number {
  const january4 = toEpochDay({ year: weekYear, month: 1, day: 4 });
  return january4 - weekDayOf(january4) + 1;
}

/** How many weeks a week-based year has. */
export function weeksIn(weekYear: number): number {
  return (firstMondayOf(weekYear + 1) - firstMondayOf(weekYear)) / 7;
}

export function firstDayOf(year: number): number {
  return toEpochDay({ year, month: 1, day: 1 });
}

export function quarterOf(month: number): number {
  return Math.floor((month - 1) / 3) + 1;
}

export function firstDayOfQuarter(year: number, quarter: number): number {
  return toEpochDay({ year, month: quarter * 3 - 2, day: 1 });
}

/** The same day so many months later, or that month's last one when it is shorter. */
export function plusMonths(epochDay: number, months: number): number {
  if (months === 0) {
    return epochDay;
  }
  const { year, month, day } = fromEpochDay(epochDay);
  const total = year * 12 + month - 1 + months;
  const newYear = Math.floor(total / 12);
  const newMonth = total - newYear * 12 + 1;
  return toEpochDay({ year: newYear, month: newMonth, day: Math.min(day, daysInMonth(newYear, newMonth)) });
}
