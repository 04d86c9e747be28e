import { expect, test } from "vitest";
import { renderTable } from "./table.ts";

test("columns are aligned, numbers at the right, wide characters counted as two", () => {
  const rows = [
    { name: "a", size: 5, note: "日本" },
    { name: "longer", size: 12345, note: undefined },
  ];
  expect(renderTable(rows)).toBe(["name     size  note", "a           5  日本", "longer  12345"].join("\n"));
  expect(
    renderTable([
      { a: "日本", b: "x" },
      { a: "y", b: "z" },
    ]),
  ).toBe(["a     b", "日本  x", "y     z"].join("\n"));
});

test("lists and objects are shown on one line, control characters as escapes", () => {
  expect(renderTable([{ a: ["x", "y"], b: { c: 1 }, d: "\u001b[2J\n" }])).toContain('x, y  {"c":1}  \\u001b[2J\\n');
});

test("columns can be chosen", () => {
  expect(renderTable([{ a: 1, b: 2 }], ["b"])).toBe("b\n2");
});
