import { describe, expect, it } from "vitest";
import { EMPTY_CATALOGUE } from "../server/catalogue.ts";
import { completionsAt } from "./completion.ts";
import { syntaxProblems } from "./diagnostics.ts";

const catalogue = {
  ...EMPTY_CATALOGUE,
  labels: [{ name: "Person", count: 2 }],
  types: [{ name: "KNOWS", count: 1 }],
  propertyKeys: ["name", "odd key"],
  procedures: [{ name: "db.labels", signature: "db.labels() :: (label)", description: "" }],
  functions: [{ name: "count", signature: "", description: "How many." }],
};

function at(text: string): readonly string[] {
  const context = { text, mode: "modern", catalogue, parameters: ["since"] } as const;
  return completionsAt(context, text.length).options.map(({ label }) => label);
}

describe("completion", () => {
  it("offers what the grammar expects, by the names of this graph", () => {
    expect(at("MATCH (p:")).toContain("Person");
    expect(at("MATCH (p)-[:")).toContain("KNOWS");
    expect(at("MATCH (p) WHERE p.")).toEqual(expect.arrayContaining(["name", "odd key"]));
    expect(at("MATCH (person) RETURN ")).toEqual(expect.arrayContaining(["person", "count", "$since", "DISTINCT"]));
    expect(at("MATCH (p) ")).toEqual(expect.arrayContaining(["WHERE", "RETURN"]));
    expect(at("RETURN $")).toContain("since");
    expect(at("MATCH (n) WHERE n.x > $si")).toContain("since");
    expect(at("CALL db.la")).toEqual(["db.labels"]);
    expect(at("RETURN 1; MATCH (p:")).toContain("Person");
  });

  it("writes odd names in backticks", () => {
    const context = { text: "MATCH (p) WHERE p.", mode: "modern", catalogue, parameters: [] } as const;
    const odd = completionsAt(context, context.text.length).options.find(({ label }) => label === "odd key");
    expect(odd?.apply).toBe("`odd key`");
  });
});

describe("problems of syntax", () => {
  it("are marked at their word, in every statement of a text", () => {
    const text = "RETURN 1; MATCH (n) RETRUN n; MATCH (m RETURN m";
    const marked = syntaxProblems(text, "modern").map(({ from, to }) => text.slice(from, to));
    expect(marked).toEqual(["RETRUN", "RETURN"]);
    expect(syntaxProblems("MATCH (n) RETURN n", "modern")).toEqual([]);
  });
});
