import { type Buffer } from "node:buffer";
import { StoreCorruptionError } from "../errors.ts";
import { type PropertyScalar, type PropertyValue } from "../values/property-value.ts";
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
        throw new StoreCorruptionError(`A value in the store has the unknown tag ${tag}.`);
    }
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
