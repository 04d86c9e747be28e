import { type StoreArray } from "./shared-array.ts";
import { type Steps } from "./steps.ts";

/** Where the parts of the base write themselves at a checkpoint: named arrays, and small facts as JSON. */
export interface SectionWriter {
  /** Whether arrays are only lent: then all of them are, as they lie; else those that follow from others are left out. */
  readonly isLent?: boolean;
  /** The first `length` elements of `array`. */
  array(name: string, array: StoreArray, length: number): void;
  /**
   * Bytes that are put together while they are written, a part at a time, each done with before the next is asked for:
   * a copy of the whole would take a pause and as much memory again. Who lacks it is given arrays.
   */
  gathered?(name: string, parts: () => Iterable<Uint8Array>): void;
  json(name: string, value: unknown): void;
}

/** Where they read themselves back from; a missing section is corruption and throws. */
export interface SectionReader {
  /** As that of the writer. */
  readonly isLent?: boolean;
  has(name: string): boolean;
  int32(name: string): Int32Array;
  /** As `int32`, in steps: who lacks it has the array at hand. */
  unpacked?(name: string): Steps<Int32Array>;
  uint32(name: string): Uint32Array;
  bytes(name: string): Uint8Array;
  float64(name: string): Float64Array;
  bigInt64(name: string): BigInt64Array;
  json(name: string): unknown;
}

/** An array of `source`, which may take long to be had. */
export function* int32InSteps(source: SectionReader, name: string): Steps<Int32Array> {
  return source.unpacked === undefined ? source.int32(name) : yield* source.unpacked(name);
}
