import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvFields, CsvSplitter } from "./csv-splitter.ts";

function split(text: string, terminator = ","): CsvFields[] {
  const splitter = new CsvSplitter("a.csv", terminator);
  return [...splitter.feed(text), ...splitter.end()];
}

describe("CsvSplitter", () => {
  it.each([
    [
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\r\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["a\r\rb", [["a"], ["b"]]],
    ["\n\n", []],
    [
      ',\n"",\n',
      [
        [null, null],
        ["", null],
      ],
    ],
    [" a , b ", [[" a ", " b "]]],
    ['"x, ""y""","1\n2"', [['x, "y"', "1\n2"]]],
    ['"a\\"b\\\\c\\d",x\\y', [['a"b\\c\\d', "x\\y"]]],
    ['"a"', [["a"]]],
  ])("splits %j", (text, rows) => {
    expect(split(text)).toEqual(rows);
  });

  it("takes another terminator", () => {
    expect(split("a;b,c", ";")).toEqual([["a", "b,c"]]);
  });

  it("says where a quote was opened that is not closed", () => {
    expect(() => split('a,b\n"x,2\n')).toThrow('At a.csv:2 - Missing end for quote (") which started on line 1');
  });

  it.each(['"x"y,2', '"x" ,2', 'a\n"x""y"z'])("refuses text behind a closing quote: %j", (text) => {
    expect(() => split(text)).toThrow("behind the closing quote");
  });

  it("gives up on a row that does not end", () => {
    const splitter = new CsvSplitter("a.csv", ",");
    expect(() => {
      for (let mebibyte = 0; mebibyte < 20; mebibyte += 1) {
        splitter.feed("x".repeat(2 ** 20));
      }
    }).toThrow("longer than 16 MiB");
  });

  it("reads back what was written, wherever the text is cut", () => {
    const field = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", "\\", " ") });
    const table = fc.array(fc.array(field, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(table, fc.array(fc.nat(40)), (rows, cuts) => {
        const quoted = (value: string): string => `"${value.replaceAll(/["\\]/gu, "\\$&")}"`;
        const text = rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
        const splitter = new CsvSplitter("a.csv", ",");
        const read: CsvFields[] = [];
        let at = 0;
        for (const cut of cuts) {
          read.push(...splitter.feed(text.slice(at, at + cut)));
          at += cut;
        }
        read.push(...splitter.feed(text.slice(at)), ...splitter.end());
        expect(read).toEqual(rows);
      }),
    );
  });
});
