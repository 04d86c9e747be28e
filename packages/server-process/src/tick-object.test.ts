import { expect, test } from "vitest";
import { keepTickObject } from "./tick-object.ts";

test("what nextTick makes for a call is found, with the members that all have", () => {
  const kept = keepTickObject();
  expect(kept).toMatchObject({ callback: expect.any(Function) });
  expect(keepTickObject()).not.toBe(kept);
});
