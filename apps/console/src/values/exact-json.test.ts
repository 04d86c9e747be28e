import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExactJson, parseExactJson } from "./exact-json.ts";
import { WholeFloat } from "./whole-float.ts";

const plain = (value: ExactJson): unknown =>
  value instanceof Map
    ? Object.fromEntries([...(value as ReadonlyMap<string, ExactJson>)].map(([name, inner]) => [name, plain(inner)]))
    : Array.isArray(value)
      ? (value as readonly ExactJson[]).map(plain)
      : value instanceof WholeFloat
        ? value.value
        : typeof value === "bigint"
          ? Number(value)
          : value;

describe("parseExactJson", () => {
  it("keeps every digit of an integer and the point of a float", () => {
    expect(parseExactJson("[9223372036854775807, 1, 1.0, 1.5, 1e3, -0.0]")).toEqual([
      9223372036854775807n,
      1,
      new WholeFloat(1),
      1.5,
      new WholeFloat(1000),
      new WholeFloat(-0),
    ]);
    expect(String(new WholeFloat(3))).toBe("3.0");
    expect(String(new WholeFloat(1e300))).toBe("1e+300");
  });

  it("keeps names that mean something to objects", () => {
    expect(parseExactJson('{"__proto__":1,"constructor":2}')).toEqual(
      new Map([
        ["__proto__", 1],
        ["constructor", 2],
      ]),
    );
  });

  it("agrees with JSON.parse otherwise", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        expect(JSON.stringify(plain(parseExactJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it.each(["", "{", "[1,]", "{a:1}", '"open', "tru", "1 2", '{"a" 1}', "[1 2]"])("refuses %s", (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
