import { NO_INT32 } from "../columns/column-kind.ts";
import { type Steps } from "../memory/steps.ts";

/** Integers that share one range. */
const BLOCK_LENGTH = 1024;
/** The least value of the block (one less where some are missing), then the bits of a code, and this mark. */
const HEADER_WORDS = 2;
const SOME_ARE_MISSING = 256;
const WIDTH_MASK = 255;
/** Blocks that are packed or unpacked at a time: less than a millisecond's work. */
const PART_BLOCKS = 64;
const PART_LENGTH = PART_BLOCKS * BLOCK_LENGTH;

/**
 * 32-bit integers in blocks of 1024, each value as its distance from the least of its block, in as many bits as the
 * farthest needs (frame of reference). Where "no value" (columns/column-kind.ts) is among them it is code 0, so that it
 * does not stretch the range. Any 32 bits come back as they were.
 *
 * @returns parts, each done with before the next is asked for: the same buffer for all of them
 */
export function* packIntegers(values: Int32Array): Generator<Uint8Array, void, void> {
  const part = new Int32Array(PART_BLOCKS * (HEADER_WORDS + BLOCK_LENGTH));
  let used = 0;
  for (let from = 0; from < values.length; from += BLOCK_LENGTH) {
    used = packBlock(values, from, Math.min(from + BLOCK_LENGTH, values.length), part, used);
    if (used + HEADER_WORDS + BLOCK_LENGTH > part.length) {
      yield new Uint8Array(part.buffer, 0, used * part.BYTES_PER_ELEMENT);
      used = 0;
    }
  }
  yield new Uint8Array(part.buffer, 0, used * part.BYTES_PER_ELEMENT);
}

/** Fills `into` with what {@link packIntegers} made of so many. */
export function* unpackIntegers(words: Int32Array, into: Int32Array): Steps<void> {
  let at = 0;
  for (let from = 0; from < into.length; from += BLOCK_LENGTH) {
    at = unpackBlock(words, at, into, from, Math.min(from + BLOCK_LENGTH, into.length));
    if (from % PART_LENGTH === 0) {
      yield;
    }
  }
}

/** @returns where the next block goes */
function packBlock(values: Int32Array, from: number, to: number, out: Int32Array, start: number): number {
  let [low, high, isMissing] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false];
  for (let at = from; at < to; at++) {
    const value = values[at] as number;
    if (value === NO_INT32) {
      isMissing = true;
    } else {
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
  }
  const base = high < low ? 0 : low - (isMissing ? 1 : 0);
  const span = high < low ? 0 : high - base;
  const width = 32 - Math.clz32(span);
  out[start] = base;
  out[start + 1] = width | (isMissing ? SOME_ARE_MISSING : 0);
  let place = start + HEADER_WORDS;
  if (width === 0) {
    return place;
  }
  let [word, filled] = [0, 0];
  for (let at = from; at < to; at++) {
    const value = values[at] as number;
    const code = value === NO_INT32 ? 0 : (value - base) | 0;
    word |= code << filled;
    filled += width;
    if (filled >= 32) {
      out[place++] = word;
      filled -= 32;
      word = filled === 0 ? 0 : code >>> (width - filled);
    }
  }
  if (filled > 0) {
    out[place++] = word;
  }
  return place;
}

/** @returns where the next block is */
function unpackBlock(words: Int32Array, start: number, into: Int32Array, from: number, to: number): number {
  const base = words[start] as number;
  const head = words[start + 1] as number;
  const width = head & WIDTH_MASK;
  const isMissing = (head & SOME_ARE_MISSING) !== 0;
  let place = start + HEADER_WORDS;
  if (width === 0) {
    into.fill(isMissing ? NO_INT32 : base, from, to);
    return place;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let [word, left] = [0, 0];
  for (let at = from; at < to; at++) {
    let code = 0;
    if (left >= width) {
      code = word & mask;
      word >>>= width;
      left -= width;
    } else {
      const next = words[place++] as number;
      code = (word | (next << left)) & mask;
      const taken = width - left;
      word = taken === 32 ? 0 : next >>> taken;
      left = 32 - taken;
    }
    into[at] = isMissing && code === 0 ? NO_INT32 : base + code;
  }
  return place;
}
