import { must } from "@trefoil/base";
import { type StoreArray } from "./shared-array.ts";
import { type SectionReader, type SectionWriter } from "./snapshot-sections.ts";

/** A copy of a base in memory, to go back to. */
export class MemorySections implements SectionWriter, SectionReader {
  readonly #sections = new Map<string, unknown>();

  static of(source: { save(out: SectionWriter): void }): MemorySections {
    const sections = new MemorySections();
    source.save(sections);
    return sections;
  }

  array(name: string, array: StoreArray, length: number): void {
    const Kind = array.constructor as new (buffer: SharedArrayBuffer) => StoreArray;
    const copy = new Kind(new SharedArrayBuffer(length * array.BYTES_PER_ELEMENT));
    copy.set(array.subarray(0, length) as never);
    this.#sections.set(name, copy);
  }

  json(name: string): unknown;
  json(name: string, value: unknown): void;
  json(name: string, value?: unknown): unknown {
    if (value !== undefined) {
      this.#sections.set(name, structuredClone(value));
    }
    return this.#sections.get(name);
  }

  has(name: string): boolean {
    return this.#sections.has(name);
  }

  int32(name: string): Int32Array {
    return this.#get(name) as Int32Array;
  }

  uint32(name: string): Uint32Array {
    return this.#get(name) as Uint32Array;
  }

  bytes(name: string): Uint8Array {
    return this.#get(name) as Uint8Array;
  }

  float64(name: string): Float64Array {
    return this.#get(name) as Float64Array;
  }

  bigInt64(name: string): BigInt64Array {
    return this.#get(name) as BigInt64Array;
  }

  #get(name: string): unknown {
    return must(this.#sections.get(name), `section ${name} was saved`);
  }
}
