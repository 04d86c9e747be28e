import { Buffer } from "node:buffer";
import { unreachable } from "@trefoil/base";
import { bytesInHeader, textHeader, writeText } from "./text.ts";
import { type PropertyScalar, type PropertyValue } from "../values/property-value.ts";
import {
  DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  type TemporalValue,
  TimeValue,
} from "../values/temporal-values.ts";
import { isIntegerNumber, WholeFloat } from "../values/whole-float.ts";
import * as Tag from "./value-tags.ts";

const FIRST_SIZE = 256;

/** Bytes in the making: whole numbers as varints, text, property values. Used by the log and by columns of any value. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was written, valid until the next write. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, low ones first. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80;
      rest = rest < 0x8000_0000 ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  text(value: string): void {
    const header = textHeader(value);
    this.varint(header);
    const size = bytesInHeader(header);
    this.#reserve(size);
    writeText(this.#buffer, this.#length, value, header);
    this.#length += size;
  }

  value(value: PropertyValue): void {
    if (typeof value === "string") {
      this.byte(Tag.TEXT);
      this.text(value);
    } else if (typeof value === "number") {
      this.#number(value);
    } else if (typeof value === "boolean") {
      this.byte(value ? Tag.TRUE : Tag.FALSE);
    } else if (typeof value === "bigint") {
      this.byte(Tag.INT64);
      this.#reserve(8);
      this.#length = this.#buffer.writeBigInt64LE(value, this.#length);
    } else if (value instanceof WholeFloat) {
      this.#float(value.value);
    } else if (value instanceof PointValue) {
      this.#point(value);
    } else if (!isList(value)) {
      this.#temporal(value);
    } else {
      this.byte(Tag.LIST);
      this.varint(value.length);
      for (const element of value) {
        this.value(element);
      }
    }
  }

  #temporal(value: TemporalValue): void {
    if (value instanceof DateValue) {
      this.#tagged(Tag.DATE, value.epochDay);
    } else if (value instanceof LocalTimeValue) {
      this.#tagged(Tag.LOCAL_TIME, value.nanoOfDay);
    } else if (value instanceof TimeValue) {
      this.#tagged(Tag.TIME, value.nanoOfDay, value.offsetSeconds);
    } else if (value instanceof LocalDateTimeValue) {
      this.#tagged(Tag.LOCAL_DATE_TIME, value.epochDay, value.nanoOfDay);
    } else if (value instanceof DateTimeValue) {
      this.#tagged(Tag.DATE_TIME, value.epochDay, value.nanoOfDay, value.offsetSeconds);
      this.text(value.zone ?? "");
    } else if (value instanceof DurationValue) {
      this.#tagged(Tag.DURATION, value.months, value.days, value.nanos);
      this.#reserve(8);
      this.#length = this.#buffer.writeBigInt64LE(value.seconds, this.#length);
    } else {
      unreachable(value);
    }
  }

  #tagged(tag: number, ...fields: readonly number[]): void {
    this.byte(tag);
    fields.forEach((field) => this.#number(field));
  }

  #point(point: PointValue): void {
    this.byte(Tag.POINT);
    this.varint(point.system);
    this.varint(point.coordinates.length);
    this.#reserve(point.coordinates.length * 8);
    for (const coordinate of point.coordinates) {
      this.#length = this.#buffer.writeDoubleLE(coordinate, this.#length);
    }
  }

  #number(value: number): void {
    if (!isIntegerNumber(value)) {
      this.#float(value);
    } else if (value >= 0) {
      this.byte(Tag.INTEGER);
      this.varint(value);
    } else {
      this.byte(Tag.NEGATIVE_INTEGER);
      this.varint(-1 - value);
    }
  }

  #float(value: number): void {
    this.byte(Tag.FLOAT);
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
  }
}

/** `Array.isArray` does not narrow a union with read-only arrays. */
function isList(value: PropertyValue): value is readonly PropertyScalar[] {
  return Array.isArray(value);
}
