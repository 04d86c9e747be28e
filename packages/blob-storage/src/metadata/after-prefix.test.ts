import fc from "fast-check";
import { expect, test } from "vitest";
import { afterPrefix } from "./after-prefix.ts";

const compare = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));
const text = fc.string({ unit: "binary" });

test("is above everything with the prefix and not above anything else that is above it", () => {
  fc.assert(
    fc.property(text, text, text, (prefix, rest, other) => {
      const end = afterPrefix(prefix);
      expect(compare(prefix + rest, end)).toBeLessThan(0);
      const liesBehind = compare(other, prefix) > 0 && !other.startsWith(prefix);
      expect(liesBehind && compare(other, end) < 0).toBe(false);
    }),
  );
});

test("steps over what no text may hold", () => {
  expect(afterPrefix("a\ud7ff")).toBe("a\ue000");
  expect(afterPrefix("a\u{10ffff}")).toBe("b");
});
