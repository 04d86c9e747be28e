import fc from "fast-check";
import { expect, it } from "vitest";
import { type EquivalenceKey } from "../values/equivalence.ts";
import { Groups, KeyPairs } from "./groups.ts";

const key = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom<EquivalenceKey>(2 ** 20 - 1, 2 ** 20, 1500, 0.5, Number.NaN, null, true, "a", "1", 2n ** 70n),
);

it("numbers each key once, in the order they come", () => {
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const groups = new Groups();
      const numbers = keys.map((each) => {
        const found = groups.find(each);
        return found < 0 ? groups.add(each) : found;
      });
      const distinct = [...new Set(keys)];
      expect(numbers).toEqual(
        keys.map((each) => distinct.findIndex((other) => Object.is(other, each) || other === each)),
      );
      expect(groups.size).toBe(distinct.length);
    }),
  );
});

it("gives two pairs one number when both keys are the same, and only then", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, key)), (pairs) => {
      const table = new KeyPairs();
      const seen = new Map<EquivalenceKey, Map<EquivalenceKey, number>>();
      for (const [left, right] of pairs) {
        const row = seen.get(left) ?? new Map<EquivalenceKey, number>();
        seen.set(left, row);
        const number = table.of(left, right);
        expect(row.get(right) ?? number).toBe(number);
        row.set(right, number);
      }
      const numbers = [...seen.values()].flatMap((row) => [...row.values()]);
      expect(new Set(numbers).size).toBe(numbers.length);
    }),
  );
});
