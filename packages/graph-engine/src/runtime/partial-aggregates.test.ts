import { DurationValue, floatOf, WholeFloat } from "@trefoil/graph-store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Value } from "../values/value.ts";
import { newAccumulator } from "./aggregation.ts";
import { newMergingAccumulator, newPartialAccumulator, NotMergeable } from "./partial-aggregates.ts";

const number = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.integer({ min: -50, max: 50 }).map(floatOf),
  fc.constantFrom<Value>(null, 2 ** 51, -(2 ** 52), -0, 9_007_199_254_740_993n, 0.5, 0.1, Number.NaN),
);
const any = fc.oneof(number, fc.constantFrom<Value>("a", "b", true, [1, "a"], new Map([["k", 1]])));

test.each([
  ["count", true, any],
  ["collect", false, any],
  ["collect", true, any],
  ["min", false, any],
  ["max", false, any],
  ["sum", false, number],
  ["avg", false, number],
  ["sum", true, number],
  ["avg", true, number],
  ["stDev", true, number],
])("%s (distinct: %s) of ranges, merged, is that of all values in a row", (name, distinct, values) => {
  let merged = 0;
  fc.assert(
    fc.property(fc.array(fc.array(values, { maxLength: 6 }), { maxLength: 4 }), (ranges) => {
      const wanted = outcome(() => whole(name, distinct, ranges.flat()));
      try {
        expect(outcome(() => inRanges(name, distinct, ranges))).toStrictEqual(wanted);
        merged += 1;
      } catch (error) {
        // The statement is run in one piece then.
        if (!(error instanceof NotMergeable)) {
          throw error;
        }
      }
    }),
  );
  expect(merged).toBeGreaterThan(20);
});

test("sums are refused where the order of the values matters, and not where it does not", () => {
  const sum = (...ranges: readonly (readonly Value[])[]): Value => inRanges("sum", false, ranges);
  expect(sum([1, 2], [3])).toBe(6);
  expect(sum([1, floatOf(2)], [3])).toEqual(new WholeFloat(6));
  expect(sum([Number.MAX_SAFE_INTEGER], [])).toBe(Number.MAX_SAFE_INTEGER);
  for (const ranges of [
    [[0.1], [0.2]],
    [[Number.MAX_SAFE_INTEGER], [1]],
    [[Number.MAX_SAFE_INTEGER], [-1]],
    [[Number.POSITIVE_INFINITY]],
    [[new DurationValue(0, 1, 0n, 0)]],
  ]) {
    expect(() => sum(...ranges)).toThrow(NotMergeable);
  }
});

function whole(name: string, distinct: boolean, values: readonly Value[]): Value {
  const accumulator = newAccumulator(name, distinct, "modern", "x");
  values.forEach((value) => accumulator.add(value));
  return accumulator.result();
}

function inRanges(name: string, distinct: boolean, ranges: readonly (readonly Value[])[]): Value {
  const merging = newMergingAccumulator(name, distinct, "modern", "x");
  for (const values of ranges) {
    const partial = newPartialAccumulator(name, distinct, "modern", "x");
    values.forEach((value) => partial.add(value));
    merging.add(partial.result());
  }
  return merging.result();
}

/** What it gives, or what it fails with. */
function outcome(run: () => Value): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof NotMergeable) {
      throw error;
    }
    return String(error);
  }
}
