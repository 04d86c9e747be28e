import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PatternCache } from "./pattern-cache.ts";

const cache = new PatternCache(10);
const matches = (text: string, pattern: string): boolean => cache.matches(text, pattern, "modern");

describe("Java regular expressions", () => {
  it.each([
    ["abc", "a.c", true],
    ["xabc", "abc", false],
    ["a\nb", "a.b", false],
    ["a\nb", "(?s)a.b", true],
    ["a\rb", "a.b", false],
    ["a\rb", "(?d)a.b", true],
    ["ABC", "(?i)abc", true],
    ["aBC", "a(?i)bc", true],
    ["ABC", "a(?i:bc)", false],
    ["ABc", "(?i)a(?-i)Bc", true],
    ["É", "(?i)é", false],
    ["É", "(?iu)é", true],
    ["aab", "a*+b", true],
    ["aaa", "a{2,3}+", true],
    ["a.b*", "\\Qa.b*\\E", true],
    ["a.b", "a\\Q.\\Eb", true],
    ["é", "\\p{L}", true],
    ["é", "\\p{Alpha}", false],
    ["é", "\\p{IsAlphabetic}", true],
    ["Ж", "\\p{IsCyrillic}+", true],
    ["ж", "\\p{InCyrillic}", true],
    ["ж", "\\p{javaLowerCase}", true],
    ["1", "\\P{L}", true],
    ["c", "[a-z&&[^b]]", true],
    ["b", "[a-z&&[^b]]", false],
    ["x", "[a-c[x-z]]", true],
    ["5", "[\\w&&[^\\d]]", false],
    ["]", "[\\]]", true],
    ["-", "[a-]", true],
    ["é", "\\u00e9", true],
    ["😀", "\\x{1F600}", true],
    ["A", "\\0101", true],
    ["\t", "\\h", true],
    ["\r\n", "\\R", true],
    ["\u000b", "\\s", true],
    ["é", "\\w", false],
    ["é", "(?U)\\w", true],
    ["ab", "(?x) a b # comment", true],
    ["a\nb", "(?m)a$\\n^b", true],
    ["aa", "(?<name>a)a", true],
    ["aab", "(?>a+)b", true],
    ["", "", true],
    ["a|b", "a\\|b", true],
    ["b", "a|b", true],
    ["Straße", "[\\p{L}]+", true],
  ])("%j =~ %j", (text, pattern, expected) => {
    expect(matches(text, pattern)).toBe(expected);
  });

  it.each(["[a-", "(a", "a)", "*a", "a{", "\\", "\\p{Nope}", "(?=a)", "(?<=a)b", "(a)\\1", "[]", "a{x}", "\\y"])(
    "refuses %j",
    (pattern) => {
      expect(() => matches("a", pattern)).toThrow(
        expect.objectContaining({ code: "ClientError.Statement.InvalidArguments" }),
      );
      expect(() => cache.matches("a", pattern, "2.3")).toThrow(
        expect.objectContaining({ code: "DatabaseError.Statement.ExecutionFailure" }),
      );
    },
  );

  it("take a quoted text for itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("\\E"));
        expect(matches(text, `\\Q${text}\\E`)).toBe(true);
      }),
    );
  });

  it("agree with JavaScript's where both mean the same", () => {
    const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "(a|b)", "\\d", "\\.", "(?:ab)");
    const piece = fc.tuple(atom, fc.constantFrom("", "*", "+", "?", "{1,2}", "*?")).map((parts) => parts.join(""));
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "1", "."), maxLength: 5 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), texts, (pieces, text) => {
        const pattern = pieces.join("");
        expect(matches(text, pattern)).toBe(new RegExp(`^(?:${pattern})$`, "u").test(text));
      }),
    );
  });

  it("never break down over a pattern", () => {
    const junk = fc.string({ unit: fc.constantFrom(...Array.from("()[]{}\\|*+?^$.&&-:=<>!iQEpPdxab1,")) });
    fc.assert(
      fc.property(junk, (pattern) => {
        expect([true, false, "ClientError.Statement.InvalidArguments"]).toContain(attempt(pattern));
      }),
      { numRuns: 2_000 },
    );
  });

  it("stay fast where backtracking would not", () => {
    expect(matches("a".repeat(5_000), "(a+)+b")).toBe(false);
  });
});

/** Whether "ab" matches, or the code of the refusal. */
function attempt(pattern: string): unknown {
  try {
    return matches("ab", pattern);
  } catch (error) {
    return (error as { code?: string }).code;
  }
}
