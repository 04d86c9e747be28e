import { describe, expect, it } from "vitest";
import { type Mode } from "./ast/node.ts";
import { parseStatement } from "./parse.ts";
import { printStatement } from "./print.ts";
import { readGoldenStatements } from "./testing/golden-statements.ts";
import { MODERN_STATEMENTS } from "./testing/modern-statements.ts";
import { readTckStatements } from "./testing/tck-statements.ts";
import { withoutPositions } from "./testing/without-positions.ts";

function print(text: string, mode: Mode = "modern"): string {
  return printStatement(parseStatement(text, { mode }));
}

function expectSameTree(text: string, mode: Mode): void {
  let parsed;
  try {
    parsed = parseStatement(text, { mode });
  } catch {
    return;
  }
  const printed = printStatement(parsed);
  expect(withoutPositions(parseStatement(printed, { mode }))).toEqual(withoutPositions(parsed));
  expect(print(printed, mode)).toBe(printed);
}

describe("printed statements", () => {
  it.each(MODERN_STATEMENTS)("parse to the same tree: %s", (text) => {
    parseStatement(text, { mode: "modern" });
    expectSameTree(text, "modern");
    expectSameTree(text, "2.3");
  });

  it("parse to the same tree for every statement of the TCK, where it is at hand", () => {
    for (const { text } of readTckStatements()) {
      expectSameTree(text, "modern");
    }
  });

  it("parse to the same tree for every recorded statement, where they are at hand", () => {
    for (const { text } of readGoldenStatements()) {
      expectSameTree(text, "2.3");
    }
  });

  it("have a clause per line, keywords in capitals and blocks indented", () => {
    const text =
      "match (a:A {x:1})-[:R|:S*1..2]->(b) where a.x>1 call { with a return 1 as one } return a,b order by a.x desc limit 2";
    expect(print(text)).toBe(
      [
        "MATCH (a:A {x: 1})-[:R|S*1..2]->(b) WHERE a.x > 1",
        "CALL {",
        "  WITH a",
        "  RETURN 1 AS one",
        "}",
        "RETURN a, b ORDER BY a.x DESC LIMIT 2",
      ].join("\n"),
    );
  });

  it("keep the text of columns without an alias, because it is their name", () => {
    expect(print("RETURN 1+1, 1+1 AS two")).toBe("RETURN 1+1, 1 + 1 AS two");
  });

  it("keep parentheses only where they count", () => {
    expect(print("RETURN ((1 + 2)) * (3 * 4) AS x")).toBe("RETURN (1 + 2) * (3 * 4) AS x");
    expect(print("RETURN (a = b) = c AS x, a = b = c AS y")).toBe("RETURN (a = b) = c AS x, a = b = c AS y");
    expect(print("RETURN (1 + x) IN [2] AS v", "2.3")).toBe("RETURN (1 + x) IN [2] AS v");
    expect(print("RETURN (1 + x) IN [2] AS v")).toBe("RETURN 1 + x IN [2] AS v");
  });
});
