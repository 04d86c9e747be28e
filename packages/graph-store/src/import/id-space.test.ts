import fc from "fast-check";
import { expect, test } from "vitest";
import { IdSpace } from "./id-space.ts";

test("finds what a map finds, whatever the ids look like", () => {
  const id = fc.oneof(
    fc.nat(3000).map(String),
    fc.nat().map(String),
    fc.constantFrom("", "0", "00", "007", "7", "-1", "1e3", "1.0", "9999999999"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 200 }), fc.array(id), (added, asked) => {
      const space = new IdSpace();
      added.forEach((one, node) => space.add(one, node));
      for (const one of [...added, ...asked]) {
        expect(space.find(one)).toBe(added.indexOf(one));
      }
    }),
  );
});
