import { floatOf } from "@trefoil/graph-store";
import { describe, expect, it } from "vitest";
import { propertyOf, slice, subscript } from "./element-access.ts";
import { type GraphAccess } from "./graph-access.ts";
import { toPropertyValue } from "./property-value.ts";
import { type Value } from "./value.ts";

/** Lists and maps need no graph. */
const access = {} as GraphAccess;
const list = [1, 2, 3];

describe("elements", () => {
  it.each<[Value, Value, Value]>([
    [list, 0, 1],
    [list, -1, 3],
    [list, 3, null],
    [list, -4, null],
    [null, 0, null],
    [list, null, null],
    [new Map([["a", 1]]), "a", 1],
    [new Map([["a", 1]]), "b", null],
  ])("%j[%j]", (container, index, element) => {
    expect(subscript(container, index, access, "modern")).toBe(element);
    expect(subscript(container, index, access, "2.3")).toBe(element);
  });

  it("says which kind of index was wrong", () => {
    const detail = (container: Value, index: Value): unknown => {
      try {
        return subscript(container, index, access, "modern");
      } catch (error) {
        return (error as { tckDetail: string }).tckDetail;
      }
    };
    expect(detail(list, "a")).toBe("ListElementAccessByNonInteger");
    expect(detail(list, 1.5)).toBe("ListElementAccessByNonInteger");
    expect(detail(new Map(), 1)).toBe("MapElementAccessByNonString");
    expect(detail(100, 0)).toBe("InvalidArgumentType");
    expect(subscript(list, 1.5, access, "2.3")).toBe(2);
    expect(() => subscript(list, "a", access, "2.3")).toThrow(
      "Expected a to be a java.lang.Number, but it was a java.lang.String",
    );
  });

  it.each<[Value | undefined, Value | undefined, Value]>([
    [1, undefined, [2, 3]],
    [undefined, -1, [1, 2]],
    [-2, 10, [2, 3]],
    [2, 1, []],
    [null, 2, null],
  ])("list[%j..%j]", (from, to, part) => {
    expect(slice(list, from, to, "modern")).toEqual(part);
  });

  it("are none of a number", () => {
    expect(() => propertyOf(1, "a", access, "2.3")).toThrow("Type mismatch: expected a map but was 1");
  });
});

describe("what can be stored", () => {
  it("are scalars, lists of one type, and numbers widened together", () => {
    expect(toPropertyValue("a", "modern")).toBe("a");
    expect(toPropertyValue(null, "modern")).toBeUndefined();
    expect(toPropertyValue([], "modern")).toEqual([]);
    expect(toPropertyValue([1, 2.5], "modern")).toEqual([floatOf(1), 2.5]);
  });

  it.each<[Value, string]>([
    [new Map(), "Property values can only be of primitive types or arrays thereof"],
    [[[1]], "Property values can only be of primitive types or arrays thereof"],
    [[1, "a"], "Collections containing mixed types can not be stored in properties."],
    [[1, null], "Collections containing null values can not be stored in properties."],
  ])("is not %j", (value, message) => {
    expect(() => toPropertyValue(value, "modern")).toThrow(
      expect.objectContaining({ message, tckDetail: "InvalidPropertyType" }),
    );
  });
});
