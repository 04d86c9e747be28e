import { describe, expect, test } from "vitest";
import { RecentReads } from "./recent-reads.ts";

const key = (name?: string) => ({ accountId: 1, container: "c", name });

describe("rows that were read lately", () => {
  test("a change of one blob takes out that blob alone", () => {
    const reads = new RecentReads(1024 * 1024);
    const [a, b, container] = [{ row: "a" }, { row: "b" }, { row: "c" }];
    reads.keep(key("a"), a, 10);
    reads.keep(key("b"), b, 10);
    reads.keep(key(), container, 0);
    reads.forget({ accountId: 1, container: "c", name: "a", conditions: {} });
    expect([reads.find(key("a")), reads.find(key("b")), reads.find(key())]).toEqual([undefined, b, container]);
  });

  test.each([[{ accountId: 1, name: "c" }], [{ limit: 100 }], [null], [undefined]])(
    "a change that names no blob takes out everything: %o",
    (change) => {
      const reads = new RecentReads(1024 * 1024);
      reads.keep(key("a"), {}, 10);
      reads.keep(key(), {}, 0);
      reads.forget(change);
      expect([reads.find(key("a")), reads.find(key())]).toEqual([undefined, undefined]);
    },
  );

  test("memory is bounded, and what is asked for stays", () => {
    const reads = new RecentReads(64 * 1024);
    const wanted = {};
    reads.keep(key("wanted"), wanted, 4096);
    for (let index = 0; index < 1000; index += 1) {
      reads.keep(key(`other ${index}`), {}, 4096);
      expect(reads.find(key("wanted"))).toBe(wanted);
    }
    const kept = Array.from({ length: 1000 }, (_, index) => reads.find(key(`other ${index}`))).filter(Boolean);
    expect(kept.length * 4096).toBeLessThan(64 * 1024);
  });
});
