import { expect, test } from "vitest";
import { PlanCache } from "./plan-cache.ts";

test("what was not used for longest goes first", () => {
  const cache = new PlanCache<number>(2);
  cache.add("a", 1);
  cache.add("b", 2);
  expect([cache.find("a"), cache.find("a")]).toEqual([1, 1]);
  cache.add("c", 3);
  expect(["a", "b", "c"].map((key) => cache.find(key))).toEqual([1, undefined, 3]);
  expect(cache.find("a")).toBe(1);
  cache.add("d", 4);
  expect(["a", "c", "d"].map((key) => cache.find(key))).toEqual([1, undefined, 4]);
});

test("nothing is left after clearing", () => {
  const cache = new PlanCache<number>(2);
  cache.add("a", 1);
  cache.clear();
  expect(cache.find("a")).toBeUndefined();
  cache.add("a", 2);
  expect(cache.find("a")).toBe(2);
});
