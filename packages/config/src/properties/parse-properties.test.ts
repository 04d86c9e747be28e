import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeProperties, parseProperties, PropertiesSyntaxError } from "./parse-properties.ts";

const parse = (text: string): Record<string, string> =>
  Object.fromEntries(parseProperties(text).map(({ key, value }) => [key, value]));

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("parseProperties", () => {
  test.each([
    ["a=b", { a: "b" }],
    ["a = b", { a: "b" }],
    ["a:b", { a: "b" }],
    ["a b", { a: "b" }],
    ["a\t:\f b c ", { a: "b c " }],
    ["a = = b", { a: "= b" }],
    ["a", { a: "" }],
    ["=b", { "": "b" }],
    ["org.x.classes=org.y=/z", { "org.x.classes": "org.y=/z" }],
    ["a\\ b\\=c\\:d=e", { "a b=c:d": "e" }],
    ["a=C:\\\\dir\\tx", { a: "C:\\dir\tx" }],
    ["a=\\u00e9\\u20AC", { a: "é€" }],
    ['a=\\x\\"', { a: 'x"' }],
    ["a=1,\\\n    2,\\\r\n\t3", { a: "1,2,3" }],
    ["a=1\\\\\nb=2", { a: "1\\", b: "2" }],
    ["a=1\\\n# not a comment", { a: "1# not a comment" }],
    ["a=1\\", { a: "1" }],
    ["# a=b\n  ! c=d\n\n \t\ne=f", { e: "f" }],
    ["# no continuation \\\na=b", { a: "b" }],
    ["a=b # not a comment", { a: "b # not a comment" }],
    ["a=1\rb=2\r\nc=3", { a: "1", b: "2", c: "3" }],
    ["truth  ==", { truth: "=" }],
  ])("%j", (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test("lines are counted as an editor does, at the beginning of each property", () => {
    const lines = parseProperties("# one\na=1\\\n  2\n\nb=3\r\nc=4").map(({ key, line }) => [key, line]);
    expect(lines).toEqual([
      ["a", 2],
      ["b", 5],
      ["c", 6],
    ]);
  });

  test("an incomplete escape is refused with its line", () => {
    expect(() => parseProperties("a=1\nb=\\u12")).toThrow(PropertiesSyntaxError);
    expect(() => parseProperties("a=1\nb=\\u12")).toThrow(expect.objectContaining({ line: 2 }));
  });

  test("what is escaped by Java's rules is read back", () => {
    const escape = (text: string, isKey: boolean): string =>
      Array.from(text)
        .map((character, index) => {
          if ("=:#!\\".includes(character) || (character === " " && (isKey || index === 0))) {
            return `\\${character}`;
          }
          const unit = character.codePointAt(0) ?? 0;
          return unit < 0x20 || unit > 0x7e
            ? Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
                .map((code) => `\\u${code.toString(16).padStart(4, "0")}`)
                .join("")
            : character;
        })
        .join("");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.string({ unit: "binary" })), {
          maxLength: 8,
        }),
        (pairs) => {
          const text = pairs.map(([key, value]) => `${escape(key, true)}=${escape(value, false)}`).join("\n");
          expect(parseProperties(text).map(({ key, value }) => [key, value])).toEqual(pairs);
        },
      ),
    );
  });

  test("no text makes it fail but by its own error", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("\\", "u", "0", "=", ":", " ", "\n", "\r", "#", "a") }), (text) => {
        const outcome = attempt(() => parseProperties(text));
        expect(Array.isArray(outcome) || outcome instanceof PropertiesSyntaxError).toBe(true);
      }),
    );
  });
});

test("bytes are UTF-8, or ISO 8859-1 when they are not", () => {
  expect(decodeProperties(Buffer.from("\uFEFFa=é", "utf8"))).toBe("a=é");
  expect(decodeProperties(Buffer.from("a=é", "latin1"))).toBe("a=é");
});
