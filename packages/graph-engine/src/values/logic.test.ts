import { describe, expect, it } from "vitest";
import { and, not, or, xor } from "./logic.ts";
import { type Ternary } from "./value.ts";

const ALL: Ternary[] = [true, false, null];

describe("three-valued logic", () => {
  it.each(ALL.flatMap((a) => ALL.map((b): [Ternary, Ternary] => [a, b])))("of %s and %s", (a, b) => {
    for (const mode of ["modern", "2.3"] as const) {
      expect(and(a, b, mode)).toBe(a === false || b === false ? false : a === null || b === null ? null : true);
      expect(or(a, b, mode)).toBe(a === true || b === true ? true : a === null || b === null ? null : false);
      expect(xor(a, b, mode)).toBe(a === null || b === null ? null : a !== b);
    }
  });

  it("takes lists and maps for truth in 2.3 only", () => {
    expect(not([], "2.3")).toBe(true);
    expect(and([1], new Map([["a", 1]]), "2.3")).toBe(true);
    expect(() => not([], "modern")).toThrow("Don't know how to treat that as a predicate: []");
  });

  it("decides in 2.3 without a look at what is no predicate, where it can", () => {
    expect(and(1, false, "2.3")).toBe(false);
    expect(or(2.5, new Map(), "2.3")).toBe(true);
    expect(() => or(1, null, "2.3")).toThrow("Don't know how to treat that as a predicate: 1");
    expect(() => and(1, true, "modern")).toThrow();
  });
});
