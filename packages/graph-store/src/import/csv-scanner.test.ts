import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvScanner } from "./csv-scanner.ts";

/** A field and whether it stands in quotes; without them it must not hold what ends it. */
const field = fc.oneof(
  fc
    .string({ unit: fc.constantFrom("a", "é", "😀", '"', ",", ";", "\n", "\r", " ", "7") })
    .map((text) => ({ text, quoted: true })),
  fc.string({ unit: fc.constantFrom("a", "é", "😀", " ", "-", "0", "7") }).map((text) => ({ text, quoted: false })),
);
const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { maxLength: 8 });

describe("scanner of CSV", () => {
  test.each([",", ";", "¦", "\t"])("finds every field, however the bytes are cut (%j)", (delimiter) => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (table, end, cuts) => {
          const text = table
            .map((row) =>
              row.map((each) => (each.quoted ? `"${each.text.replaceAll('"', '""')}"` : each.text)).join(delimiter),
            )
            .join(end);
          const wanted = table.map((row) =>
            row.map((each) => (each.quoted || each.text !== "" ? each.text : undefined)),
          );
          expect(scan(Buffer.from(text), delimiter, cuts)).toEqual(wanted);
        },
      ),
    );
  });

  test("reads a number only where it is written as we would write it", () => {
    const scanner = new CsvScanner("numbers.csv", ",");
    scanner.feed(Buffer.from('0,-1,42,007,-0,+1, 1,1.0,"12",123456789012345,1234567890123456,-\n'));
    expect(scanner.next()).toBe(true);
    const numbers = Array.from({ length: scanner.fieldCount }, (_unused, index) => scanner.integer(index));
    const none = Number.NaN;
    expect(numbers).toEqual([0, -1, 42, none, none, none, none, none, 12, 123_456_789_012_345, none, none]);
  });

  test("counts lines within quotes and empty ones", () => {
    const scanner = new CsvScanner("lines.csv", ",");
    scanner.feed(Buffer.from('a,"1\n2"\n\n\nb,2\n'));
    scanner.end();
    const lines: number[] = [];
    while (scanner.next()) {
      lines.push(scanner.line);
    }
    expect(lines).toEqual([1, 5]);
  });
});

function scan(bytes: Buffer, delimiter: string, cuts: Iterator<number>): (string | undefined)[][] {
  const scanner = new CsvScanner("test.csv", delimiter);
  const found: (string | undefined)[][] = [];
  const take = (): void => {
    while (scanner.next()) {
      found.push(
        Array.from({ length: scanner.fieldCount }, (_unused, index) =>
          scanner.isMissing(index) ? undefined : scanner.text(index),
        ),
      );
    }
  };
  for (let at = 0; at < bytes.length;) {
    const length = cuts.next().value as number;
    scanner.feed(bytes.subarray(at, at + length));
    take();
    at += length;
  }
  scanner.end();
  take();
  return found;
}
