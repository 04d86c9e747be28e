import { parseStatement } from "@trefoil/cypher";
import { describe, expect, it } from "vitest";
import { cellJson, guessType } from "./column-types.ts";
import { batchJson, type ColumnPlan, type ImportPlan, importStatement, labelOf } from "./import-plan.ts";

describe("types of columns", () => {
  it.each([
    [["1", "-2", ""], "integer"],
    [["1", "2.5", "1e3"], "float"],
    [["true", "FALSE"], "boolean"],
    [["007", "8"], "text"],
    [["1", "x"], "text"],
    [["", ""], "text"],
  ] as const)("%j are %s", (texts, type) => {
    expect(guessType(texts)).toBe(type);
  });

  it("keep what does not fit as it is", () => {
    expect(cellJson("", "integer")).toBe("null");
    expect(cellJson("123456789012345678", "integer")).toBe("123456789012345678");
    expect(cellJson("+7", "integer")).toBe("7");
    expect(cellJson("3", "float")).toBe("3.0");
    expect(cellJson("many", "integer")).toBe('"many"');
    expect(cellJson("True", "boolean")).toBe("true");
  });
});

describe("what is sent", () => {
  const columns: readonly ColumnPlan[] = [
    { header: "id", property: "id", type: "integer", isUsed: true },
    { header: "odd", property: "odd name", type: "text", isUsed: true },
    { header: "no", property: "no", type: "text", isUsed: false },
  ];
  const nodes: ImportPlan = { kind: "nodes", label: "My label", columns, key: 0 };
  const relationships: ImportPlan = {
    kind: "relationships",
    type: "KNOWS",
    columns,
    from: { label: "A", property: "id", column: 0 },
    to: { label: "B", property: "id", column: 2 },
  };

  it.each([nodes, { ...nodes, key: undefined }, relationships])("is read in every language mode", (plan) => {
    for (const mode of ["modern", "2.3"] as const) {
      expect(() => parseStatement(importStatement(plan), { mode })).not.toThrow();
    }
  });

  it("sets what is used and nothing twice", () => {
    expect(importStatement(nodes)).toBe(
      "UNWIND {rows} AS row\nMERGE (n:`My label` {id: row[0]})\nSET n.`odd name` = row[1]",
    );
  });

  it("leaves out rows without their key", () => {
    expect(
      batchJson(nodes, [
        ["1", "a", "b"],
        ["", "c", "d"],
      ]),
    ).toBe('[[1,"a","b"]]');
  });

  it("names a label after the file", () => {
    expect(labelOf("people list.csv")).toBe("PeopleList");
    expect(labelOf(".csv")).toBe("Row");
  });
});
