import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Mode } from "./ast/node.ts";
import { QueryError } from "./errors.ts";
import { lex } from "./lexer.ts";
import { parseStatement } from "./parse.ts";
import { MAXIMUM_NESTING } from "./parser/cursor.ts";
import { MODERN_STATEMENTS } from "./testing/modern-statements.ts";
import { failureOf } from "./testing/sketch.ts";

const modes = fc.constantFrom<Mode>("modern", "2.3");

/** Parses, or fails as a statement may fail. */
function parsesOrRefuses(text: string, mode: Mode): void {
  try {
    parseStatement(text, { mode });
  } catch (error) {
    const isInText = error instanceof QueryError && (error.position?.offset ?? 0) <= text.length;
    if (!isInText) {
      throw error;
    }
  }
}

describe("hostile input", () => {
  const tokens = MODERN_STATEMENTS.flatMap((text) => {
    const list = lex(text, "modern");
    return list.kinds.slice(0, -1).map((_, index) => text.slice(list.starts[index], list.ends[index]));
  });

  it("never throws anything but a QueryError for tokens in any order", () => {
    const soup = fc.array(fc.constantFrom(...new Set(tokens)), { maxLength: 40 });
    fc.assert(
      fc.property(soup, modes, (parts, mode) => parsesOrRefuses(parts.join(" "), mode)),
      { numRuns: 1500 },
    );
  });

  it("never throws anything but a QueryError for statements with a piece cut out, doubled or replaced", () => {
    const mutation = fc.record({
      text: fc.constantFrom(...MODERN_STATEMENTS),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(12),
      insert: fc.oneof(fc.constant(""), fc.string({ maxLength: 6, unit: "binary" }), fc.constantFrom(...tokens)),
    });
    fc.assert(
      fc.property(mutation, modes, ({ text, at, length, insert }, mode) => {
        const offset = Math.floor(at * text.length);
        parsesOrRefuses(text.slice(0, offset) + insert + text.slice(offset + length), mode);
      }),
      { numRuns: 3000 },
    );
  });

  it("never throws anything but a QueryError for arbitrary text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), modes, parsesOrRefuses), { numRuns: 1000 });
  });

  const nestings: readonly (readonly [open: string, inner: string, close: string])[] = [
    ["RETURN (", "1", ")"],
    ["RETURN [", "1", "]"],
    ["RETURN {a: ", "1", "}"],
    ["RETURN -", "1", ""],
    ["RETURN NOT ", "true", ""],
    ["RETURN f(", "1", ")"],
    ["RETURN x[", "1", "]"],
    ["RETURN CASE WHEN ", "true", " THEN 1 END"],
    ["RETURN [x IN ", "[1]", " | x]"],
    ["MATCH (n) WHERE EXISTS { MATCH (n) WHERE ", "true", " }"],
    ["CALL { ", "RETURN 1 AS x", " } RETURN x"],
    ["MATCH (n) FOREACH (x IN [1] | ", "CREATE (m)", ")"],
    ["MATCH (n:(", "A", ")) RETURN n"],
    ["MATCH (n:!", "A", ") RETURN n"],
    ["MATCH ((", "a)-->(b", ")) RETURN a"],
    ["RETURN x IS :: LIST<", "INTEGER", ">"],
  ];

  it.each(nestings)("bounds the nesting of %s…", (open, inner, close) => {
    const head = /^(RETURN|MATCH \(n\)( WHERE|)|MATCH|CALL)/.exec(open)?.[0] ?? "";
    const repeated = head === "CALL" ? open : open.slice(head.length);
    const start = head === "CALL" ? "" : head;
    for (const depth of [MAXIMUM_NESTING * 3, 100_000]) {
      const text = start + repeated.repeat(depth) + inner + close.repeat(depth);
      expect(failureOf(text).message).toMatch(/Nested too deeply|Invalid input|Unexpected end/);
    }
    parsesOrRefuses(
      start + repeated.repeat(MAXIMUM_NESTING - 20) + inner + close.repeat(MAXIMUM_NESTING - 20),
      "modern",
    );
  });

  it("bounds operators in a row, and balances long chains of AND and OR", () => {
    expect(failureOf(`RETURN ${"1 + ".repeat(5000)}1`).message).toContain("Too many operators in a row");
    expect(failureOf(`RETURN a${".b".repeat(5000)}`).message).toContain("property accesses in a row");
    parseStatement(`MATCH (n) WHERE ${"n.x = 1 OR ".repeat(20_000)}n.x = 2 RETURN n`, { mode: "modern" });
  });

  it("takes time in proportion to the text", () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `{id: ${index}, name: 'n${index}'}`).join(", ");
    parseStatement(`UNWIND [${rows}] AS row CREATE (n:X) SET n = row`, { mode: "modern" });
    parsesOrRefuses("(a)-[".repeat(50_000), "modern");
    parsesOrRefuses(`RETURN ${"({a:".repeat(50_000)}`, "modern");
    parsesOrRefuses(`MATCH ${"(a:".repeat(50_000)}`, "2.3");
  });
});
