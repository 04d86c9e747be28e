import { type PropertyValue } from "../values/property-value.ts";
import { DateTimeValue, DateValue, LocalDateTimeValue, LocalTimeValue, TimeValue } from "../values/temporal-values.ts";
import { numberOf } from "./value-key.ts";

/** Values that compare with each other; values of different families never do. */
export type OrderFamily =
  | "text"
  | "number"
  | "boolean"
  | "date"
  | "local time"
  | "time"
  | "local datetime"
  | "datetime";

/** Where a value stands among those of its family. */
export type OrderKey =
  | { readonly family: "text"; readonly key: string }
  | { readonly family: Exclude<OrderFamily, "text">; readonly key: number };

const NANOS_PER_DAY = 86_400e9;

/**
 * The place of a value in the order of its family, as a double where it is no text: values that are further apart than
 * a double can tell share a key, so a range of keys may hold a little more than the range of values. `undefined` for
 * values without an order (lists, points, durations) and NaN.
 */
export function orderKeyOf(value: PropertyValue): OrderKey | undefined {
  if (typeof value === "string") {
    return { family: "text", key: value };
  }
  if (typeof value === "boolean") {
    return { family: "boolean", key: value ? 1 : 0 };
  }
  const number = numberOf(value);
  if (number !== undefined) {
    return Number.isNaN(number) ? undefined : { family: "number", key: Number(number) };
  }
  if (value instanceof DateValue) {
    return { family: "date", key: value.epochDay };
  }
  if (value instanceof LocalTimeValue) {
    return { family: "local time", key: value.nanoOfDay };
  }
  if (value instanceof TimeValue) {
    return { family: "time", key: value.nanoOfDay - value.offsetSeconds * 1e9 };
  }
  if (value instanceof LocalDateTimeValue) {
    return { family: "local datetime", key: value.epochDay * NANOS_PER_DAY + value.nanoOfDay };
  }
  if (value instanceof DateTimeValue) {
    const nanos = value.nanoOfDay - value.offsetSeconds * 1e9;
    return { family: "datetime", key: value.epochDay * NANOS_PER_DAY + nanos };
  }
  return undefined;
}

/** A range of values of one family, ends included, or the texts with a prefix. */
export type ValueRange =
  | { readonly kind: "between"; readonly low: PropertyValue | undefined; readonly high: PropertyValue | undefined }
  | { readonly kind: "prefix"; readonly prefix: string };

/** The family a range asks about; `undefined` when its ends have none in common, or no order. */
export function familyOf(range: ValueRange): OrderFamily | undefined {
  if (range.kind === "prefix") {
    return "text";
  }
  const low = range.low === undefined ? undefined : orderKeyOf(range.low);
  const high = range.high === undefined ? undefined : orderKeyOf(range.high);
  const ordered = (range.low === undefined || low !== undefined) && (range.high === undefined || high !== undefined);
  if (!ordered || (low !== undefined && high !== undefined && low.family !== high.family)) {
    return undefined;
  }
  return low?.family ?? high?.family;
}
