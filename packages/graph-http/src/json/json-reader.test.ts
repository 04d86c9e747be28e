import { WholeFloat } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonError } from "./json-error.ts";
import { JsonReader, type JsonValue, MAXIMUM_DEPTH, parseJson } from "./json-reader.ts";

/** A value as JSON.parse would give it, for comparison. */
function plain(value: JsonValue): unknown {
  if (value instanceof WholeFloat) {
    return value.value;
  }
  if (typeof value === "bigint") {
    return Number(value);
  }
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value as ReadonlyMap<string, JsonValue>, ([key, v]) => [key, plain(v)]));
  }
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(plain) : value;
}

function messageOf(text: string): string {
  return errorOf(text)?.withSource ?? "no error";
}

function errorOf(text: string): JsonError | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) {
      return error;
    }
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("values", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        // __proto__ is an ordinary key here, but not for the objects compared with.
        fc.pre(!text.includes("__proto__"));
        expect(plain(parseJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses what JSON.parse refuses, and only that", () => {
    const insertions = fc.constantFrom("", "x", '"', "\\", "{", "]", ",", "\u0001", "0");
    fc.assert(
      fc.property(fc.json(), fc.nat(), insertions, (text, at, insertion) => {
        const position = at % (text.length + 1);
        const changed = text.slice(0, position) + insertion + text.slice(position + 1);
        expect({ changed, isRead: errorOf(changed) === undefined }).toEqual({ changed, isRead: isJson(changed) });
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps every digit of integers", () => {
    expect(parseJson("9007199254740993")).toBe(9007199254740993n);
    expect(parseJson("-9223372036854775808")).toBe(-9223372036854775808n);
    expect(parseJson("123456789012345678901234567890")).toBe(123456789012345678901234567890n);
    expect(parseJson("9007199254740991")).toBe(9007199254740991);
    expect(parseJson("-0")).toBe(0);
  });

  it("tells floats from integers", () => {
    expect(parseJson("1.0")).toEqual(new WholeFloat(1));
    expect(parseJson("1e3")).toEqual(new WholeFloat(1000));
    expect(parseJson("-0.0")).toEqual(new WholeFloat(-0));
    expect(parseJson("1.5")).toBe(1.5);
    expect(parseJson("1e400")).toBe(Number.POSITIVE_INFINITY);
  });

  it("takes the last of repeated keys and skips a byte order mark", () => {
    expect(parseJson('\ufeff{"a":1,"a":2}')).toEqual(new Map([["a", 2]]));
  });
});

describe("mistakes", () => {
  it.each([
    [
      String.raw`{"q":"it\'s"}`,
      "Unrecognized character escape ''' (code 39)\n at [Source: HttpInput; line: 1, column: 11]",
    ],
    [
      "hello",
      "Unexpected character ('h' (code 104)): expected a valid value (number, String, array, object, 'true', 'false' or 'null')\n at [Source: HttpInput; line: 1, column: 2]",
    ],
    [
      "{'a':1}",
      "Unexpected character (''' (code 39)): was expecting double-quote to start field name\n at [Source: HttpInput; line: 1, column: 3]",
    ],
    [
      "[1 2]",
      "Unexpected character ('2' (code 50)): was expecting comma to separate ARRAY entries\n at [Source: HttpInput; line: 1, column: 5]",
    ],
    [
      '{"a" 1}',
      "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value\n at [Source: HttpInput; line: 1, column: 7]",
    ],
    [
      '{\n"a":\n tru}',
      "Unrecognized token 'tru': was expecting 'null', 'true', 'false' or NaN\n at [Source: HttpInput; line: 3, column: 6]",
    ],
    [
      '"a\nb"',
      "Illegal unquoted character ((CTRL-CHAR, code 10)): has to be escaped using backslash to be included in string value\n at [Source: HttpInput; line: 1, column: 4]",
    ],
    ["01", "Invalid numeric value: Leading zeroes not allowed\n at [Source: HttpInput; line: 1, column: 3]"],
  ])("%j says what and where", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it.each(["", "{", "[", '"', '{"a"', '{"a":', "[1,", String.raw`"\u12`, "-"])("%j ends too early", (text) => {
    expect(messageOf(text)).toMatch(/^Unexpected end-of-input/);
  });

  it("bounds nesting instead of exhausting the stack", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(messageOf(nested(MAXIMUM_DEPTH))).toBe("no error");
    expect(messageOf(nested(MAXIMUM_DEPTH + 1))).toMatch(/^Nesting is deeper than 1000 levels/);
    expect(messageOf(nested(1_000_000))).toMatch(/^Nesting is deeper than 1000 levels/);
  });

  it("bounds the length of numbers", () => {
    expect(messageOf("1".repeat(1001))).toMatch(/^Number is longer than 1000 characters/);
  });

  it("reads no further than asked", () => {
    const reader = new JsonReader("[1] nonsense");
    expect(reader.readValue()).toEqual([1]);
  });
});
