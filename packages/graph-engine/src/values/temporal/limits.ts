import { argumentError, arithmeticError } from "../query-errors.ts";
import { MAX_YEAR, toEpochDay } from "./calendar.ts";

const FIRST_DAY = toEpochDay({ year: -MAX_YEAR, month: 1, day: 1 });
const LAST_DAY = toEpochDay({ year: MAX_YEAR, month: 12, day: 31 });

/** The day itself. @throws ArithmeticError beyond the years ±999,999,999 */
export function checkedDay(epochDay: number): number {
  if (!(epochDay >= FIRST_DAY && epochDay <= LAST_DAY)) {
    throw arithmeticError("A date is beyond the year 999999999", "NumberOutOfRange");
  }
  return epochDay;
}

/** A field of a date or time. @throws InvalidArguments outside `minimum` to `maximum` */
export function checkedField(name: string, value: number, minimum: number, maximum: number): number {
  if (!(value >= minimum && value <= maximum)) {
    throw argumentError(`Invalid value for ${name}: ${value} is not from ${minimum} to ${maximum}`, "NumberOutOfRange");
  }
  return value;
}
