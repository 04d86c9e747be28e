import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PropertyValue } from "../values/property-value.ts";
import { WholeFloat } from "../values/whole-float.ts";
import { PropertyColumn } from "./property-column.ts";
import { StringDictionary } from "./string-dictionary.ts";

describe("property column", () => {
  test("turns sparse and dense without changing what is read", { timeout: 60_000 }, () => {
    const column = new PropertyColumn("int32", new StringDictionary());
    const expected = new Map<number, PropertyValue>();
    const write = (entity: number): void => {
      column.set(entity, entity % 1000);
      expected.set(entity, entity % 1000);
    };
    [3, 90_000, 12, 1_000_000, 500_000].forEach(write);
    expect(column.dense).toBe(false);
    expect(column.values.length).toBeLessThan(4096);
    for (let entity = 0; entity < 1_000_000; entity += 3) {
      write(entity);
    }
    expect(column.dense).toBe(true);
    expect(column.count).toBe(expected.size);
    let wrong = 0;
    for (let entity = 0; entity < 1_000_001; entity += 7) {
      wrong += column.get(entity) === expected.get(entity) ? 0 : 1;
    }
    expect(wrong).toBe(0);
  });

  test("becomes sparse when a few far ids follow a short dense start", () => {
    const column = new PropertyColumn("string", new StringDictionary());
    for (let entity = 0; entity < 100; entity++) {
      column.set(entity, `s${entity}`);
    }
    column.set(3_000_000, "far");
    expect(column.dense).toBe(false);
    expect([column.get(7), column.get(3_000_000), column.get(5_000)]).toEqual(["s7", "far", undefined]);
  });

  test("holds no memory for values that are gone", () => {
    const strings = new StringDictionary();
    const text = new PropertyColumn("string", strings);
    const mixed = new PropertyColumn("any", strings);
    for (let round = 0; round < 20_000; round++) {
      text.set(round % 5, `some text that is never the same ${round}`);
      mixed.set(round % 5, [`text ${round}`, "x".repeat(50)]);
    }
    expect(strings.codeLimit).toBeLessThan(10);
    expect(mixed.get(4)).toEqual(["text 19999", "x".repeat(50)]);
    expect(text.get(0)).toBe("some text that is never the same 19995");
    text.remove(0);
    expect(text.get(0)).toBeUndefined();
    expect(strings.find("some text that is never the same 19995")).toBe(0);
  });

  test.each<[string, PropertyValue[]]>([
    ["boolean", [true, false]],
    ["int32", [0, -1, 2147483647]],
    ["integer", [-2147483648, 2 ** 53 - 1]],
    ["int64", [-(2n ** 63n) + 1n, 5]],
    ["float", [1.5, new WholeFloat(-0), Number.NEGATIVE_INFINITY]],
    ["string", ["", "a"]],
    ["any", [-(2n ** 63n)]],
    ["any", [Number.NaN]],
    ["any", [1, 1.5]],
  ])("keeps these as %s", (kind, values) => {
    const column = new PropertyColumn("boolean", new StringDictionary());
    values.forEach((value, entity) => column.set(entity, value));
    expect(column.kind).toBe(kind);
    expect(values.map((_, entity) => column.get(entity))).toEqual(values);
  });
});

test("string dictionary: same string, same code, as long as someone holds it", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: "binary", maxLength: 3 }), release: fc.boolean() }), {
        maxLength: 400,
        size: "max",
      }),
      (steps) => {
        const dictionary = new StringDictionary();
        const held = new Map<string, { code: number; holders: number }>();
        let wrong = 0;
        for (const { text, release } of steps) {
          const known = held.get(text);
          if (!release) {
            const code = dictionary.acquire(text);
            wrong += known !== undefined && known.code !== code ? 1 : 0;
            held.set(text, { code, holders: (known?.holders ?? 0) + 1 });
          } else if (known !== undefined) {
            dictionary.release(known.code);
            known.holders -= 1;
            if (known.holders === 0) {
              held.delete(text);
              wrong += dictionary.find(text) === 0 ? 0 : 1;
            }
          }
        }
        expect(wrong).toBe(0);
        for (const [text, { code }] of held) {
          expect(dictionary.find(text)).toBe(code);
          expect(dictionary.textOf(code)).toBe(text);
        }
      },
    ),
    { numRuns: 200 },
  );
});
