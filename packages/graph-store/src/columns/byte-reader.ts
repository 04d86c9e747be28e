import { type Buffer } from "node:buffer";
import { StoreCorruptionError } from "../errors.ts";
import { type PropertyScalar, type PropertyValue } from "../values/property-value.ts";
import {
  type CoordinateSystem,
  DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  TimeValue,
} from "../values/temporal-values.ts";
import { floatOf } from "../values/whole-float.ts";
import { bytesInHeader, readText } from "./text.ts";
import * as Tag from "./value-tags.ts";

/** Reads what {@link ByteWriter} wrote. Bytes that it cannot have written are corruption. */
export class ByteReader {
  readonly #source: Buffer;
  #at: number;
  readonly #end: number;

  constructor(source: Buffer, start = 0, end: number = source.length) {
    this.#source = source;
    this.#at = start;
    this.#end = end;
  }

  get atEnd(): boolean {
    return this.#at >= this.#end;
  }

  byte(): number {
    const start = this.#take(1);
    return this.#source[start] as number;
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 8; count++) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        return value;
      }
      factor *= 0x80;
    }
    throw new StoreCorruptionError("A number in the store is longer than it can be.");
  }

  text(): string {
    const header = this.varint();
    const start = this.#take(bytesInHeader(header));
    return readText(this.#source, start, header);
  }

  value(): PropertyValue {
    const tag = this.byte();
    return tag === Tag.LIST ? this.#list() : this.#scalar(tag);
  }

  #list(): readonly PropertyScalar[] {
    const length = this.varint();
    const list: PropertyScalar[] = [];
    for (let index = 0; index < length; index++) {
      list.push(this.#scalar(this.byte()));
    }
    return list;
  }

  #scalar(tag: number): PropertyScalar {
    switch (tag) {
      case Tag.FALSE:
        return false;
      case Tag.TRUE:
        return true;
      case Tag.INTEGER:
        return this.varint();
      case Tag.NEGATIVE_INTEGER:
        return -1 - this.varint();
      case Tag.INT64:
        return this.#source.readBigInt64LE(this.#take(8));
      case Tag.FLOAT:
        return floatOf(this.#source.readDoubleLE(this.#take(8)));
      case Tag.TEXT:
        return this.text();
      default:
        return this.#structure(tag);
    }
  }

  #structure(tag: number): PropertyScalar {
    switch (tag) {
      case Tag.DATE:
        return new DateValue(this.#integer());
      case Tag.LOCAL_TIME:
        return new LocalTimeValue(this.#integer());
      case Tag.TIME:
        return new TimeValue(this.#integer(), this.#integer());
      case Tag.LOCAL_DATE_TIME:
        return new LocalDateTimeValue(this.#integer(), this.#integer());
      case Tag.DATE_TIME: {
        const [day, nano, offset] = [this.#integer(), this.#integer(), this.#integer()];
        const zone = this.text();
        return zone === "" ? new DateTimeValue(day, nano, offset) : new DateTimeValue(day, nano, offset, zone);
      }
      case Tag.DURATION: {
        const [months, days, nanos] = [this.#integer(), this.#integer(), this.#integer()];
        return new DurationValue(months, days, this.#source.readBigInt64LE(this.#take(8)), nanos);
      }
      case Tag.POINT: {
        const system = this.varint() as CoordinateSystem;
        const coordinates = Array.from({ length: this.varint() }, () => this.#source.readDoubleLE(this.#take(8)));
        return new PointValue(system, coordinates);
      }
      default:
        throw new StoreCorruptionError(`A value in the store has the unknown tag ${tag}.`);
    }
  }

  #integer(): number {
    return this.byte() === Tag.INTEGER ? this.varint() : -1 - this.varint();
  }

  #take(bytes: number): number {
    const start = this.#at;
    if (start + bytes > this.#end) {
      throw new StoreCorruptionError("A record of the store ends before its content does.");
    }
    this.#at += bytes;
    return start;
  }
}
