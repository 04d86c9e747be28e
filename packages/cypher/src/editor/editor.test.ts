import { describe, expect, it } from "vitest";
import { MODERN_STATEMENTS } from "../testing/modern-statements.ts";
import { expectedAt } from "./expected-at.ts";
import { findSyntaxErrors } from "./find-errors.ts";
import { splitStatements } from "./split-statements.ts";
import { tokenize } from "./tokenize.ts";

const modern = { mode: "modern" } as const;

describe("tokenize", () => {
  const categories = (text: string): readonly string[] =>
    tokenize(text, modern).map(({ category, start, end }) => `${text.slice(start, end)} ${category}`);

  it("tells names apart by their neighbours", () => {
    expect(categories("MATCH (n:L {k: v}) RETURN count(n.p), $q // end")).toEqual([
      "MATCH keyword",
      "( bracket",
      "n name",
      ": separator",
      "L label",
      "{ bracket",
      "k property",
      ": separator",
      "v name",
      "} bracket",
      ") bracket",
      "RETURN keyword",
      "count function",
      "( bracket",
      "n name",
      ". separator",
      "p property",
      ") bracket",
      ", separator",
      "$ parameter",
      "q parameter",
      "// end comment",
    ]);
  });

  it("colours any text, without gaps but blanks", () => {
    for (const text of [...MODERN_STATEMENTS, "RETURN 'open", "RETURN `open", "/* open", "RETURN 1x § {p}"]) {
      let end = 0;
      for (const token of tokenize(text, modern)) {
        expect(text.slice(end, token.start).trim()).toBe("");
        expect(token.end).toBeGreaterThan(token.start);
        end = token.end;
      }
      expect(text.slice(end).trim()).toBe("");
    }
  });
});

describe("findSyntaxErrors", () => {
  it("goes on at the next clause", () => {
    const text = "MATCH (n WHERE n.x = RETURN n) WITH n ORDER n.x RETURN n LIMIT";
    const offsets = findSyntaxErrors(text, modern).map(({ position }) => position?.offset);
    expect(offsets.length).toBeGreaterThanOrEqual(3);
    expect(offsets).toContain(text.indexOf("n.x RETURN"));
    expect(offsets.at(-1)).toBe(text.length);
  });

  it("finds nothing wrong with what parses, or with nothing", () => {
    for (const text of MODERN_STATEMENTS) {
      expect(findSyntaxErrors(text, modern)).toEqual([]);
    }
    expect(findSyntaxErrors(" ", modern)).toEqual([]);
  });

  it("ends", () => {
    expect(findSyntaxErrors("RETURN ( ".repeat(1000), modern).length).toBeLessThanOrEqual(20);
  });
});

describe("expectedAt", () => {
  const at = (text: string): readonly string[] => expectedAt(text, text.length, modern).expected;

  it("knows what can follow", () => {
    expect(at("")).toEqual(expect.arrayContaining(["MATCH", "RETURN", "EXPLAIN"]));
    expect(at("MATCH (n) ")).toEqual(expect.arrayContaining(["WHERE", "RETURN", "a relationship pattern"]));
    expect(at("MATCH (n:")).toContain("a label name");
    expect(at("MATCH (n) RETURN n ORDER ")).toEqual(["BY"]);
    expect(at("MATCH (n) RETURN n ")).toEqual(expect.arrayContaining(["ORDER", "LIMIT", "AS", "STARTS WITH"]));
    expect(at("MATCH (n) WHERE n.")).toContain("a property key name");
  });

  it("says where the word under the cursor begins", () => {
    expect(expectedAt("MATCH (n) RET and more", 13, modern)).toMatchObject({ from: 10 });
    expect(expectedAt("MATCH (n) RET and more", 13, modern).expected).toContain("RETURN");
  });

  it("has nothing to say behind an error", () => {
    expect(at("MATCH (n) RETRUN n ")).toEqual([]);
  });
});

describe("splitStatements", () => {
  it("cuts at semicolons outside of strings, names and comments", () => {
    expect(splitStatements("RETURN ';' AS a; // x;y\n;MATCH (`;`) RETURN 1 ;", modern)).toEqual([
      { text: "RETURN ';' AS a", offset: 0 },
      { text: "MATCH (`;`) RETURN 1", offset: 25 },
    ]);
  });
});
