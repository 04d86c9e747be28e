import { expect, test } from "vitest";
import { remembered } from "./remembered.ts";

test("calculates once per text, keeps no more than the limit and nothing long", () => {
  const calculated: string[] = [];
  const length = remembered(2, (text) => {
    calculated.push(text);
    return text.length;
  });
  expect([length("a"), length("bb"), length("a"), length("bb")]).toEqual([1, 2, 1, 2]);
  expect(calculated).toEqual(["a", "bb"]);
  expect([length("ccc"), length("a")]).toEqual([3, 1]);
  expect(calculated).toEqual(["a", "bb", "ccc", "a"]);
  const long = "x".repeat(1000);
  expect([length(long), length(long)]).toEqual([1000, 1000]);
  expect(calculated.filter((text) => text === long)).toHaveLength(2);
});
