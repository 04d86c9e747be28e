import { parseStatement, splitStatements } from "@trefoil/cypher";
import { describe, expect, it } from "vitest";
import { FILMS } from "./film-data.ts";
import { type GuidePart } from "./guide.ts";
import { findGuide, GUIDES } from "./guide-table.ts";
import { findHelp, HELP_TOPICS } from "./help-topics.ts";

const statementsOf = (parts: readonly GuidePart[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === "statement" && !part.statement.startsWith(":") ? [part.statement] : []));

describe("guides and help", () => {
  const all = [
    ...GUIDES.flatMap(({ pages }) => pages.flatMap(({ parts }) => parts)),
    ...HELP_TOPICS.flatMap(({ parts }) => parts),
  ];

  it("only show statements the language reads", () => {
    const statements = statementsOf(all);
    expect(statements.length).toBeGreaterThan(30);
    for (const statement of statements) {
      for (const { text } of splitStatements(statement, { mode: "modern" })) {
        expect(() => parseStatement(text, { mode: "modern" }), text).not.toThrow();
      }
    }
  });

  it("only lead to guides there are", () => {
    const named = all.flatMap((part) => (part.kind === "guide" ? [part.guide] : []));
    expect(named.map((name) => findGuide(name)?.name)).toEqual(named);
    expect(findGuide("Northwind")?.name).toBe("trade");
    expect(findHelp("MATCH")?.title).toBe("MATCH");
  });

  it("tell of retellings whose originals are among the films", () => {
    const titles = FILMS.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(FILMS.flatMap(({ retells }) => retells ?? []).every((title) => titles.includes(title))).toBe(true);
  });
});
