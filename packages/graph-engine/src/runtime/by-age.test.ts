import fc from "fast-check";
import { expect, it } from "vitest";
import { sortByAge } from "./by-age.ts";

it("sorts runs that are sorted, and what is in no order, with what belongs to them", () => {
  const run = fc.uniqueArray(fc.nat(2 ** 31 - 1), { maxLength: 40 });
  fc.assert(
    fc.property(run, run, fc.boolean(), (first, second, inRuns) => {
      const rising = (ids: readonly number[]): readonly number[] => (inRuns ? ids.toSorted((a, b) => a - b) : ids);
      const ids = [...new Set([...rising(first), ...rising(second)])];
      const buffer = {
        relationships: Int32Array.from([...ids, 7]),
        neighbours: Int32Array.from([...ids.map((id) => id ^ 5), 8]),
      };
      sortByAge(buffer, ids.length);
      const sorted = ids.toSorted((a, b) => a - b);
      expect([...buffer.relationships]).toEqual([...sorted, 7]);
      expect([...buffer.neighbours]).toEqual([...sorted.map((id) => id ^ 5), 8]);
    }),
  );
});
