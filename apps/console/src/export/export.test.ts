import { parseStatement, splitStatements } from "@trefoil/cypher";
import { describe, expect, it } from "vitest";
import { type NodeValue, type RelationshipValue } from "../values/value.ts";
import { cypherScript } from "./cypher-script.ts";
import { csvText, jsonText } from "./result-files.ts";

describe("csvText", () => {
  it("quotes what needs it, and leaves nothing for null", () => {
    const rows = [
      ['say "hi"', "a,b", null],
      [" blank", "line\nbreak", 1],
    ];
    expect(csvText({ columns: ["a", "b", "c"], rows })).toBe(
      'a,b,c\r\n"say ""hi""","a,b",\r\n" blank","line\nbreak",1\r\n',
    );
  });
});

describe("jsonText", () => {
  it("is an object per row", () => {
    expect(JSON.parse(jsonText({ columns: ["a", "b"], rows: [[1, "x"]] }))).toEqual([{ a: 1, b: "x" }]);
    expect(JSON.parse(jsonText({ columns: ["a"], rows: [] }))).toEqual([]);
  });
});

describe("cypherScript", () => {
  const node = (id: string, name: string): NodeValue => ({
    kind: "node",
    id,
    labels: ["A label"],
    properties: new Map([["name", name]]),
  });
  const link = (id: string, startId: string, endId: string): RelationshipValue => ({
    kind: "relationship",
    id,
    type: "TO",
    startId,
    endId,
    properties: new Map(),
  });

  it("is made of statements the language reads, one per hundred nodes and one per relationship", () => {
    const nodes = Array.from({ length: 150 }, (_, index) => node(String(index), `it's ${index}; really`));
    const script = cypherScript(nodes, [link("1", "0", "149"), link("2", "0", "missing")]);
    const statements = splitStatements(script, { mode: "modern" });
    expect(statements).toHaveLength(4);
    for (const { text } of statements) {
      expect(() => parseStatement(text, { mode: "2.3" })).not.toThrow();
    }
  });
});
