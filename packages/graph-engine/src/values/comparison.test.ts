import { floatOf } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { greaterThanOrEqual, lessThan } from "./comparison.ts";
import { equals, isIn, notEquals } from "./equality.ts";
import { equivalenceKey, equivalenceKeyOfRow } from "./equivalence.ts";
import { compareForOrder } from "./ordering.ts";
import { values } from "./testing/value-arbitraries.ts";
import { NodeValue, PathValue, RelationshipValue, type Value } from "./value.ts";

const map = (entries: Record<string, Value>): Value => new Map(Object.entries(entries));
const one = floatOf(1);

describe("equality", () => {
  it.each<[Value, Value, boolean | null, boolean | null]>([
    [1, one, true, true],
    [2n ** 53n, 2 ** 53, true, true],
    [2n ** 53n + 1n, 2 ** 53, false, false],
    [Number.NaN, Number.NaN, false, false],
    ["1", 1, false, false],
    [null, 1, null, null],
    [[1, null], [1, 2], null, false],
    [[1, null], [2, null], false, false],
    [[null], [null], null, true],
    [[1], [1, null], false, false],
    [map({ k: 1 }), map({ k: null }), null, false],
    [map({ k: 1 }), map({ j: 1 }), false, false],
    [[1, 2], [1, floatOf(2)], true, true],
    [new PathValue([1, 2], [3]), [new NodeValue(1), new RelationshipValue(3), new NodeValue(2)], false, true],
  ])("%o = %o", (left, right, modern, legacy) => {
    expect(equals(left, right, "modern")).toBe(modern);
    expect(equals(left, right, "2.3")).toBe(legacy);
    expect(notEquals(right, left, "modern")).toBe(modern === null ? null : !modern);
  });

  it("refuses an entity beside something else in 2.3 only", () => {
    expect(equals(new NodeValue(1), 1, "modern")).toBe(false);
    expect(() => equals(1, new NodeValue(1), "2.3")).toThrow(
      "Don't know how to compare that. Left: 1 (Integer); Right: Node[1] (NodeProxy)",
    );
  });

  it("finds elements in lists, leaving it open where nulls do", () => {
    expect(isIn(1, [2, null], "modern")).toBe(null);
    expect(isIn(1, [1, null], "modern")).toBe(true);
    expect(isIn(null, [], "modern")).toBe(false);
    expect(isIn([1], [[1, null], [null]], "modern")).toBe(null);
    expect(isIn(1, null, "modern")).toBe(null);
    expect(isIn(1, 1, "2.3")).toBe(true);
  });
});

describe("comparison", () => {
  it("has no order between types, and none for NaN", () => {
    expect(lessThan(1, "a", "modern")).toBe(null);
    expect(lessThan(Number.NaN, 1, "modern")).toBe(false);
    expect(greaterThanOrEqual(Number.NaN, Number.NaN, "modern")).toBe(false);
    expect(greaterThanOrEqual(Number.NaN, Number.NaN, "2.3")).toBe(true);
  });

  it.each<[Value[], Value[], boolean | null]>([
    [[1, 0], [1], true],
    [[1, null], [1], true],
    [[1, 2], [1, null], null],
    [[1, "a"], [1, null], null],
    [[1, 2], [3, null], false],
  ])("%o >= %o (TCK Comparison2 [4])", (left, right, expected) => {
    expect(greaterThanOrEqual(left, right, "modern")).toBe(expected);
  });

  it("refuses other pairs in 2.3", () => {
    expect(() => lessThan("Ann", map({ a: 1 }), "2.3")).toThrow(
      `Don't know how to compare that. Left: "Ann" (String); Right: {a -> 1} (LinkedHashMap)`,
    );
  });
});

describe("the order of ORDER BY", () => {
  it("puts types in the order of the TCK, null last", () => {
    const ordered: Value[] = [
      map({}),
      new NodeValue(1),
      new RelationshipValue(1),
      [],
      new PathValue([1], []),
      "a",
      false,
      true,
      -1,
      one,
      Number.NaN,
      null,
    ];
    expect([...ordered].reverse().sort((a, b) => compareForOrder(a, b, "modern"))).toEqual(ordered);
  });

  it("is total, and agrees with equality", () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        expect(Math.sign(compareForOrder(a, b, "modern"))).toBe(-Math.sign(compareForOrder(b, a, "modern")) + 0);
        const [least, middle, most] = [a, b, c].sort((x, y) => compareForOrder(x, y, "modern")) as [
          Value,
          Value,
          Value,
        ];
        expect(compareForOrder(least, middle, "modern")).toBeLessThanOrEqual(0);
        expect(compareForOrder(least, most, "modern")).toBeLessThanOrEqual(0);
        expect(equals(a, b, "modern") === true && compareForOrder(a, b, "modern") !== 0).toBe(false);
      }),
    );
  });

  it("refuses mixed types and lists in 2.3", () => {
    expect(() => compareForOrder("a", 1, "2.3")).toThrow(
      'Cannot perform ORDER BY on mixed types. Left: "a" (String); Right: 1 (Long)',
    );
    expect(() => compareForOrder([1], [2], "2.3")).toThrow(
      "Cannot perform ORDER BY on mixed types. Left: [1] (ArrayList); Right: [2] (ArrayList)",
    );
  });
});

describe("equivalence keys", () => {
  it("are shared exactly by values without an order between them", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(equivalenceKey(a, "modern") === equivalenceKey(b, "modern") || bothNaN(a, b)).toBe(
          compareForOrder(a, b, "modern") === 0,
        );
      }),
    );
  });

  it("of rows don't run into each other", () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 3 }), fc.array(values, { maxLength: 3 }), (left, right) => {
        fc.pre(left.length !== right.length || left.length !== 1);
        const same =
          left.length === right.length &&
          left.every((value, index) => compareForOrder(value, right[index]!, "modern") === 0);
        expect(equivalenceKeyOfRow(left, "modern") === equivalenceKeyOfRow(right, "modern")).toBe(same);
      }),
    );
  });

  it("keep 1 and 1.0 apart in 2.3 only", () => {
    expect(equivalenceKey(one, "modern")).toBe(equivalenceKey(1, "modern"));
    expect(equivalenceKey(one, "2.3")).not.toBe(equivalenceKey(1, "2.3"));
    expect(equivalenceKey([one], "2.3")).not.toBe(equivalenceKey([1], "2.3"));
  });
});

/** A Map finds NaN under NaN, though `===` doesn't. */
function bothNaN(left: Value, right: Value): boolean {
  return Number.isNaN(left) && Number.isNaN(right);
}
