import { WholeFloat } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GraphAccess } from "../values/graph-access.ts";
import { type Value } from "../values/value.ts";
import { sortedOrder } from "./ordering.ts";
import { newTopRows } from "./top-rows.ts";

/** Ordering scalars never looks at the graph. */
const noGraph = {} as GraphAccess;

const value = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.constantFrom<Value>(null, "a", "b", true, new WholeFloat(3), 2.5, Number.NaN),
);
const rows = fc.array(fc.tuple(value, value), { maxLength: 60 });

describe("the best rows", () => {
  it("are the first of all rows sorted, in that order", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 70 }), fc.boolean(), fc.boolean(), (all, limit, first, second) => {
        const descending = [first, second];
        const top = newTopRows(limit, descending, "modern", noGraph);
        const kept: number[] = [];
        all.forEach(([left, right], row) => {
          top.keys[0] = left;
          top.keys[1] = right;
          const place = top.place();
          if (place >= 0) {
            kept[place] = row;
          }
        });
        const columns = [all.map(([left]) => left), all.map(([, right]) => right)];
        const sorted = [...sortedOrder(all.length, columns, descending, "modern", noGraph)];
        expect(top.order().map((place) => kept[place])).toEqual(sorted.slice(0, limit));
        expect(kept.length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
