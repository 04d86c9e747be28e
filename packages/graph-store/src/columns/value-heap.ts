import { Buffer } from "node:buffer";
import { grown, sharedBytes } from "../memory/shared-array.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

const writer = new ByteWriter();

/** Encoded values one after the other, each known by where it begins, plus one (0 is "no value"). At most 4 GiB. */
export class ValueHeap {
  #bytes = sharedBytes(256);
  #buffer = Buffer.from(this.#bytes.buffer);
  #used = 0;
  #live = 0;

  static over(bytes: Uint8Array, live: number): ValueHeap {
    const heap = new ValueHeap();
    heap.#bytes = bytes;
    heap.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    heap.#used = bytes.length;
    heap.#live = live;
    return heap;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get used(): number {
    return this.#used;
  }

  get live(): number {
    return this.#live;
  }

  /** Whether so many values were dropped that writing the others anew is worth it. */
  get isMostlyGarbage(): boolean {
    return this.#used > 4096 && this.#live * 2 < this.#used;
  }

  add(value: PropertyValue): number {
    writer.clear();
    writer.value(value);
    const encoded = writer.bytes();
    const start = this.#used;
    if (start + encoded.length > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, start + encoded.length, 0);
      this.#buffer = Buffer.from(this.#bytes.buffer);
    }
    this.#bytes.set(encoded, start);
    this.#used += encoded.length;
    this.#live += encoded.length;
    return start + 1;
  }

  get(reference: number): PropertyValue {
    return new ByteReader(this.#buffer, reference - 1, this.#used).value();
  }

  drop(value: PropertyValue): void {
    writer.clear();
    writer.value(value);
    this.#live -= writer.length;
  }
}
