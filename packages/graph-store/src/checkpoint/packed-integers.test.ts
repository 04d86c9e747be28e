import { expect, test } from "vitest";
import { atOnce } from "../memory/steps.ts";
import { packIntegers, unpackIntegers } from "./packed-integers.ts";

function there(values: Int32Array): { bytes: number; back: Int32Array } {
  // Copied while they come: all parts are one buffer.
  const packed = Buffer.concat(Array.from(packIntegers(values), (part) => Buffer.from(part)));
  const back = new Int32Array(values.length);
  atOnce(unpackIntegers(new Int32Array(new Uint8Array(packed).buffer), back));
  return { bytes: packed.length, back };
}

const NO_VALUE = -(2 ** 31);
const LENGTHS = [0, 1, 31, 1023, 1024, 1025, 70_000];

test.each([
  ["the same", () => 7, 1],
  ["one bit", (at: number) => -5 + (at % 2), 1.2],
  ["seventeen bits", (at: number) => (at * 7919) % 100_000, 17.2],
  ["some missing", (at: number) => (at % 3 === 0 ? NO_VALUE : 1990 + (at % 30)), 5.2],
  ["all missing", () => NO_VALUE, 1],
  ["all of 32 bits", (at: number) => Math.imul(at, 0x9e3779b1) ^ (at % 5 === 0 ? NO_VALUE : 0), 32.2],
  ["the ends of the range", (at: number) => [NO_VALUE, NO_VALUE + 1, 2 ** 31 - 1, -1][at % 4] ?? 0, 32.2],
])("%s come back as they were, in no more bits than they need", (_name, valueOf, bits) => {
  for (const length of LENGTHS) {
    const values = Int32Array.from({ length }, (_unused, at) => valueOf(at));
    const { bytes, back } = there(values);
    expect(back).toEqual(values);
    expect(bytes).toBeLessThanOrEqual((length * bits) / 8 + 12);
  }
});
