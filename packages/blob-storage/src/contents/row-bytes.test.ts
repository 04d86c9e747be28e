import fc from "fast-check";
import { expect, test } from "vitest";
import { RowCorruptionError } from "../errors/corruption-error.ts";
import { readRowBytes, rowBytes } from "./row-bytes.ts";

const bytes = fc.uint8Array({ maxLength: 500 });

test("what a row holds comes back, and nothing that was changed or cut does", () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.integer({ min: 0, max: 7 }), (written, at, bit) => {
      const stored = rowBytes(written);
      expect(readRowBytes(stored)).toEqual(Buffer.from(written));
      expect(readRowBytes(new Uint8Array(stored))).toEqual(Buffer.from(written));
      const flipped = Buffer.from(stored);
      flipped[at % stored.length]! ^= 1 << bit;
      expect(() => readRowBytes(flipped)).toThrow(RowCorruptionError);
      expect(() => readRowBytes(stored.subarray(0, -1))).toThrow(RowCorruptionError);
    }),
  );
});

test("a row without bytes has none", () => {
  expect(readRowBytes(null)).toHaveLength(0);
});
