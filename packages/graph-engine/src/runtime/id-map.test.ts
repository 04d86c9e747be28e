import fc from "fast-check";
import { expect, it } from "vitest";
import { IdMap } from "./id-map.ts";

it("has what was put into it last, and nothing else", () => {
  const ids = fc.oneof(
    fc.nat(300),
    fc.nat(20).map((low) => low << 26),
    fc.nat(2 ** 31 - 2),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, fc.nat(9)), { maxLength: 400, size: "max" }), ids, (entries, other) => {
      const map = new IdMap();
      const expected = new Map(entries);
      entries.forEach(([id, value]) => map.set(id, value));
      for (const id of [...expected.keys(), other, 0]) {
        expect([map.has(id), map.get(id)]).toEqual([expected.has(id), expected.get(id)]);
      }
    }),
  );
});
