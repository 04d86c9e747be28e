import { WholeFloat } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainNumber } from "./double-text.ts";
import { type JsonValue, parseJson } from "./json-reader.ts";
import { scalarText, writeJson } from "./json-writer.ts";

const anyValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: "binary" }),
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => (Number.isSafeInteger(value) ? new WholeFloat(value) : value)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 4 }).map((members) => new Map(members)),
  ),
})).value;

describe("writeJson", () => {
  it("writes what reads back as the same value, in both styles", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(parseJson(writeJson(value, "compact"))).toEqual(value);
        expect(parseJson(writeJson(value, "pretty"))).toEqual(value);
      }),
    );
  });

  it("spells numbers so that floats can be told from integers", () => {
    expect(
      [1, -0, 1.5, 1e-7, 1e21, 12345678.5, new WholeFloat(1), new WholeFloat(-0), 9007199254740993n].map(scalarText),
    ).toEqual(["1", "-0.0", "1.5", "1.0E-7", "1.0E21", "1.23456785E7", "1.0", "-0.0", "9007199254740993"]);
    expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(scalarText)).toEqual([
      '"NaN"',
      '"Infinity"',
      '"-Infinity"',
    ]);
  });

  it("lets JSON.stringify write a number only when it writes the same", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.maxSafeInteger()), (value) => {
        fc.pre(isPlainNumber(value));
        expect(JSON.stringify(value)).toBe(scalarText(value));
      }),
    );
  });

  it("escapes what lies beyond the basic plane", () => {
    expect(writeJson("é漢😀", "compact")).toBe(String.raw`"é漢\uD83D\uDE00"`);
  });

  it("lays pretty text out as the model server does", () => {
    const value = new Map<string, JsonValue>([
      ["a", 1],
      ["b", [1, new Map([["c", []]])]],
      ["d", new Map()],
    ]);
    expect(writeJson(value, "pretty")).toBe('{\n  "a" : 1,\n  "b" : [ 1, {\n    "c" : [ ]\n  } ],\n  "d" : { }\n}');
  });
});
