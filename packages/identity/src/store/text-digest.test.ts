import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "./text-digest.ts";

test.each(["", "a token", "Grüße, 世界 🔑"])("the digest of %j", (text) => {
  expect(sha256(text)).toEqual(createHash("sha256").update(text, "utf8").digest());
});

test("every byte comes through", () => {
  const seen = new Set<number>();
  for (let count = 0; seen.size < 256; count += 1) {
    const digest = sha256(String(count));
    expect(digest.toString("hex")).toBe(createHash("sha256").update(String(count)).digest("hex"));
    digest.forEach((byte) => seen.add(byte));
  }
});
