import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { type ChecksumMaker, checksumsInProcess } from "./checksum-maker.ts";
import { PassingChecksums } from "./passing-checksums.ts";

// The thread is a built one: Node 20 loads no TypeScript into it.
const built = new URL("../../dist/checksums/thread-checksums.js", import.meta.url).href;
const { ThreadChecksums } = (await import(built)) as { ThreadChecksums: new () => ChecksumMaker };

describe.each<[string, ChecksumMaker]>([
  ["in this thread", checksumsInProcess],
  ["in a thread of its own", new ThreadChecksums()],
])("checksums made %s", (_where, maker) => {
  afterAll(() => maker.close());
  const both = { md5: true, crc64: true };

  test("are those of each body, though several are under way and some are given up", async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => ({
      parts: Array.from({ length: 3 }, () => randomBytes(10_000 + index)),
      running: maker.begin(both, 3 * (10_000 + index)),
    }));
    for (let part = 0; part < 3; part++) {
      if (part === 2) {
        bodies.splice(0, 3).forEach(({ running }) => running.drop());
      }
      await Promise.all(bodies.map(({ parts, running }) => running.update(parts[part]!)));
    }
    for (const { parts, running } of bodies) {
      const expected = new PassingChecksums(both);
      expected.update(Buffer.concat(parts));
      expect(running.finish()).toEqual(expected.finish());
    }
  });

  test("are only those that are wanted", async () => {
    const running = maker.begin({ md5: false, crc64: true }, 9);
    await running.update(Buffer.from("123456789"));
    // storage §13
    expect(running.finish()).toEqual({ md5: undefined, crc64: "iJh5CoYUi64=" });
  });
});

test("bytes are refused when the thread has ended", async () => {
  const maker = new ThreadChecksums();
  const running = maker.begin({ md5: true, crc64: false }, 2);
  await running.update(Buffer.from("a"));
  await maker.close();
  await expect(running.update(Buffer.from("b"))).rejects.toThrow("has ended");
});
