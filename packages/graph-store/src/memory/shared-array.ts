/** The element kinds of the store: all of them views of shared memory, so that worker threads read the same bytes. */
export type NumberArray = Uint8Array | Int32Array | Uint32Array | Float64Array;
export type StoreArray = NumberArray | BigInt64Array;

const SMALLEST_LENGTH = 64;

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
  // Shared memory starts as zeros.
  if (fill !== 0 && fill !== 0n) {
    copy.fill(fill as never, array.length);
  }
  return copy;
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
