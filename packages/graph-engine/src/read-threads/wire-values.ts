import {
  DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  TimeValue,
  WholeFloat,
} from "@trefoil/graph-store";
import { type Batch } from "../runtime/statement-result.ts";
import { NodeValue, PathValue, RelationshipValue, type Value } from "../values/value.ts";

/** Values that are objects of a class: between threads they go as their fields, with the number of their class. */
const CLASSES: readonly (abstract new (...args: never) => object)[] = [
  WholeFloat,
  NodeValue,
  RelationshipValue,
  PathValue,
  DateValue,
  LocalTimeValue,
  TimeValue,
  LocalDateTimeValue,
  DateTimeValue,
  DurationValue,
  PointValue,
];

/** A value as it goes from one thread to another; what is no object goes as it is. */
export type WireValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly WireValue[]
  | ReadonlyMap<string, WireValue>
  | Int32Array
  | WireObject;

interface WireObject {
  readonly class: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function toWire(value: Value): WireValue {
  if (value === null || typeof value !== "object" || isIds(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly Value[]).map(toWire);
  }
  if (value instanceof Map) {
    return new Map([...(value as ReadonlyMap<string, Value>)].map(([key, each]) => [key, toWire(each)]));
  }
  const number = CLASSES.findIndex((each) => value instanceof each);
  if (number < 0) {
    throw new TypeError("a value of a kind that does not go from thread to thread");
  }
  return { class: number, fields: { ...(value as object) } };
}

export function fromWire(value: WireValue): Value {
  if (value === null || typeof value !== "object" || isIds(value)) {
    return value as Value;
  }
  if (Array.isArray(value)) {
    return (value as readonly WireValue[]).map(fromWire);
  }
  if (value instanceof Map) {
    return new Map([...(value as ReadonlyMap<string, WireValue>)].map(([key, each]) => [key, fromWire(each)]));
  }
  const { class: number, fields } = value as WireObject;
  const prototype = CLASSES[number]?.prototype as object;
  return Object.assign(Object.create(prototype) as object, fields) as Value;
}

/** What parts of a statement have counted goes between threads as it is (runtime/id-set.ts). */
function isIds(value: object): value is Int32Array {
  return value instanceof Int32Array;
}

export function batchToWire(batch: Batch): readonly (readonly WireValue[])[] {
  return batch.map((row) => (row.every(isPlain) ? (row as readonly WireValue[]) : row.map(toWire)));
}

export function batchFromWire(batch: readonly (readonly WireValue[])[]): Batch {
  return batch.map((row) => (row.every(isPlain) ? (row as readonly Value[]) : row.map(fromWire)));
}

function isPlain(value: Value | WireValue): boolean {
  return value === null || typeof value !== "object";
}
