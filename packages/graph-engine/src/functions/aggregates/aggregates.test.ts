import { type Mode } from "@trefoil/cypher";
import { DurationValue, floatOf } from "@trefoil/graph-store";
import { describe, expect, it } from "vitest";
import { type Value } from "../../values/value.ts";
import { createAggregate } from "./aggregate-functions.ts";

const f = floatOf;
const MAX = 2n ** 63n - 1n;

function aggregate(mode: Mode, name: string, values: readonly Value[], second?: Value): Value {
  const accumulator = createAggregate(name, mode, "…");
  values.forEach((value) => accumulator.add(value, second));
  return accumulator.result();
}

describe("aggregates", () => {
  it.each<[string, Value[], Value]>([
    ["count", [1, null, "a"], 2],
    ["collect", [1, null, 2], [1, 2]],
    ["sum", [], 0],
    ["sum", [1, 2, null], 3],
    ["sum", [1, 2.5], 3.5],
    ["sum", [f(1), f(2)], f(3)],
    ["sum", [2n ** 60n, 1], 2n ** 60n + 1n],
    ["avg", [], null],
    ["avg", [1, 3], f(2)],
    ["min", [], null],
    ["max", [1, "a", null, [1, 2], 0.2, "b"], 1],
    ["min", [1, "a", null, [1, 2], 0.2, "b"], [1, 2]],
    ["stDev", [1], f(0)],
    ["stDevP", [1, 2.5], 0.75],
    ["stdev", [1, 2.5], 1.0606601717798212],
  ])("%s of %o", (name, values, result) => {
    expect(aggregate("modern", name, values)).toStrictEqual(result);
  });

  it("of percentiles", () => {
    expect(aggregate("modern", "percentileDisc", [3, 1, 2], 0.4)).toBe(2);
    expect(aggregate("modern", "percentileCont", [3, 1, 2], 0.4)).toBe(1.8);
    expect(aggregate("modern", "percentileCont", [3, 1, 2], 0.5)).toStrictEqual(f(2));
    expect(aggregate("2.3", "percentileCont", [3, 1, 2], 0.5)).toBe(2);
    expect(aggregate("2.3", "percentileDisc", [1], 2)).toBe(1);
    expect(aggregate("2.3", "percentileCont", [1, 3], 1.5)).toBe(3);
    expect(() => aggregate("2.3", "percentileDisc", [1, 3], -1)).toThrow("between 0.0 and 1.0");
    expect(() => aggregate("modern", "percentileDisc", [1], 1.1)).toThrow(
      expect.objectContaining({ code: "ClientError.Statement.InvalidArguments", tckDetail: "NumberOutOfRange" }),
    );
  });

  it("of durations are durations", () => {
    const durations = [new DurationValue(1, 2, 3n, 0), new DurationValue(2, 2, -1n, 0)];
    expect(aggregate("modern", "sum", durations)).toStrictEqual(new DurationValue(3, 4, 2n, 0));
    expect(aggregate("modern", "avg", durations)).toStrictEqual(new DurationValue(1, 17, 18_874n, 0));
    expect(() => aggregate("modern", "sum", [...durations, 1])).toThrow(/cannot mix/);
  });

  it("overflow as their era does", () => {
    expect(() => aggregate("modern", "sum", [MAX, 1])).toThrow(
      expect.objectContaining({ code: "ClientError.Statement.ArithmeticError" }),
    );
    expect(aggregate("2.3", "sum", [MAX, 1])).toStrictEqual(f(2 ** 63));
  });

  it("say what they cannot take in 2.3", () => {
    expect(() => aggregate("2.3", "max", ["a", 1])).toThrow(
      'Cannot perform MAX on mixed types. Left: "a" (String); Right: 1 (Long)',
    );
    expect(() => aggregate("2.3", "max", [[1]])).toThrow("MIN/MAX can only handle values of Comparable type, or null.");
  });
});
