import { expect, test, vi } from "vitest";
import { grown, sharedBytes } from "./shared-array.ts";

const MEGABYTE = 2 ** 20;

test("arrays that gave way to longer ones are freed, though the engine counts no shared memory", async () => {
  const held = (): number => process.memoryUsage().arrayBuffers / MEGABYTE;
  const before = held();
  for (let round = 0; round < 12; round++) {
    grown(sharedBytes(8 * MEGABYTE), 16 * MEGABYTE, 1);
  }
  await vi.waitFor(() => expect(held() - before).toBeLessThan(100), { timeout: 10_000, interval: 50 });
});
