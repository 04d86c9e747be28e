import { floatOf, integerOf, WholeFloat } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add } from "./addition.ts";
import { divide, modulo, multiply, negate, power, subtract } from "./arithmetic.ts";
import { floatText } from "./float-text.ts";
import { integers } from "./testing/value-arbitraries.ts";
import { type Value } from "./value.ts";

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

describe("arithmetic on INTEGERs", () => {
  const operations: [
    string,
    (a: Value, b: Value, mode: "modern" | "2.3") => Value,
    (a: bigint, b: bigint) => bigint,
  ][] = [
    ["+", add, (a, b) => a + b],
    ["-", subtract, (a, b) => a - b],
    ["*", multiply, (a, b) => a * b],
    ["/", divide, (a, b) => a / b],
    ["%", modulo, (a, b) => a % b],
  ];

  it.each(operations)(
    "%s is exact over 64 bits; beyond, modern refuses and 2.3 wraps around",
    (symbol, operate, exact) => {
      fc.assert(
        fc.property(integers, integers, (a, b) => {
          fc.pre(!"/%".includes(symbol) || BigInt(b) !== 0n);
          const result = exact(BigInt(a), BigInt(b));
          expect(operate(a, b, "2.3")).toStrictEqual(integerOf(BigInt.asIntN(64, result)));
          const inModernMode = attempt(() => operate(a, b, "modern"));
          expect(inModernMode).toStrictEqual(
            result > MAX || result < MIN ? "ClientError.Statement.ArithmeticError" : integerOf(result),
          );
        }),
      );
    },
  );

  it("never gives -0", () => {
    expect(multiply(0, -1, "modern")).toBe(0);
    expect(negate(0, "modern")).toBe(0);
    expect(modulo(-4, 2, "modern")).toBe(0);
    expect(divide(-1, 2, "modern")).toBe(0);
  });

  it("negates the ends of 64 bits", () => {
    expect(negate(MAX, "modern")).toBe(-MAX);
    expect(negate(MIN, "2.3")).toBe(MIN);
    expect(() => negate(MIN, "modern")).toThrow();
  });

  it("cannot be divided by zero", () => {
    expect(() => divide(1, 0, "modern")).toThrow("/ by zero");
    expect(() => modulo(1, 0, "2.3")).toThrow("/ by zero");
  });
});

describe("arithmetic with FLOATs", () => {
  it("gives FLOATs, whole ones too", () => {
    expect(add(0.5, 0.5, "modern")).toStrictEqual(new WholeFloat(1));
    expect(add(1, new WholeFloat(2), "modern")).toStrictEqual(new WholeFloat(3));
    expect(power(2, 3, "modern")).toStrictEqual(new WholeFloat(8));
    expect(negate(new WholeFloat(0), "modern")).toStrictEqual(new WholeFloat(-0));
    expect(negate(new WholeFloat(0), "2.3")).toStrictEqual(new WholeFloat(0));
  });

  it("divides by 0.0 without an error in modern mode", () => {
    expect(divide(1, floatOf(0), "modern")).toBe(Infinity);
    expect(divide(floatOf(0), floatOf(0), "modern")).toBe(Number.NaN);
    expect(() => divide(1, floatOf(0), "2.3")).toThrow("/ by zero");
    expect(modulo(1, floatOf(0), "2.3")).toBe(Number.NaN);
  });
});

describe("+", () => {
  it.each<[Value, Value, Value]>([
    ["a", 1, "a1"],
    [floatOf(1), "a", "1.0a"],
    [[1], 2, [1, 2]],
    [1, [2], [1, 2]],
    [[1], [2], [1, 2]],
    [[1], null, null],
    [null, "a", null],
  ])("%j + %j", (left, right, sum) => {
    expect(add(left, right, "modern")).toEqual(sum);
    expect(add(left, right, "2.3")).toEqual(sum);
  });

  it("says what cannot be added", () => {
    expect(() => add(true, 1, "2.3")).toThrow("Don't know how to add `true` and `1`");
    expect(() => add(new Map(), 1, "modern")).toThrow("cannot add MAP and INTEGER");
    expect(() => subtract("a", 1, "2.3")).toThrow("Don't know how to Subtract");
    expect(add(new Map(), 1, "2.3")).toEqual([new Map(), 1]);
  });
});

describe("the text of FLOATs", () => {
  it.each([
    [1, "1.0"],
    [-0, "-0.0"],
    [0.001, "0.001"],
    [0.0001, "1.0E-4"],
    [1e7, "1.0E7"],
    [12345678.9, "1.23456789E7"],
    [1234567.5, "1234567.5"],
    [1e21, "1.0E21"],
    [5e-324, "4.9E-324"],
    [-1.5e300, "-1.5E300"],
    [Number.NaN, "NaN"],
    [-Infinity, "-Infinity"],
  ])("of %d is Java's", (value, text) => {
    expect(floatText(value)).toBe(text);
  });

  it("reads back as the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(Number(floatText(value))).toBe(value);
      }),
    );
  });
});

/** What it gives, or the code of what it throws. */
function attempt(operation: () => Value): unknown {
  try {
    return operation();
  } catch (error) {
    return (error as { code: string }).code;
  }
}
