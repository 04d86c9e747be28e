/** The element kinds of the store: all of them views of shared memory, so that worker threads read the same bytes. */
export type NumberArray = Uint8Array | Int32Array | Uint32Array | Float64Array;
export type StoreArray = NumberArray | BigInt64Array;

const SMALLEST_LENGTH = 64;
/** So much may lie about before the engine is made to look. */
const REPLACED_BYTES = 32 * 2 ** 20;
/** What the engine must be told of at least, or it does not look. */
const TOLD_BYTES = 64 * 2 ** 20;

/** Bytes of arrays that gave way to others since the engine last looked. */
let replacedBytes = 0;

/**
 * `array` itself while it has `length` elements, else a longer copy (half as much again, the rest set to `fill`).
 * The shorter one is left as it is: whoever still reads it sees what was there.
 */
export function grown<A extends StoreArray>(array: A, length: number, fill: number | bigint): A {
  if (array.length >= length) {
    return array;
  }
  const copy = emptyLike(array, Math.max(length, Math.ceil(array.length * 1.5), SMALLEST_LENGTH));
  copy.set(array as never);
  replacedBytes += array.byteLength;
  if (replacedBytes >= REPLACED_BYTES) {
    freeReplaced();
  }
  // Shared memory starts as zeros.
  if (fill !== 0 && fill !== 0n) {
    copy.fill(fill as never, array.length);
  }
  return copy;
}

/**
 * Makes the engine look for shared memory that nobody reads any more. It frees that when it cleans the heap, but does not
 * count it: a hundred megabytes are no reason to clean. An ordinary buffer is counted, and takes no memory while nobody
 * writes to it.
 */
export function freeReplaced(): void {
  replacedBytes = 0;
  void new ArrayBuffer(TOLD_BYTES);
}

/** A copy of the first `length` elements, in memory of its own. */
export function copied<A extends StoreArray>(array: A): A {
  const copy = emptyLike(array, array.length);
  copy.set(array as never);
  return copy;
}

export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

export function sharedInt32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}

export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}

export function sharedBigInt64(length: number): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer(length * 8));
}

function emptyLike<A extends StoreArray>(array: A, length: number): A {
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => A;
  return new Kind(new SharedArrayBuffer(length * array.BYTES_PER_ELEMENT));
}
