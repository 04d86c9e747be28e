import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ExtentStore } from "../extents/extent-store.ts";

/** The contract of {@link ExtentStore}: every implementation runs it. */
export function runExtentStoreSuite(openStore: () => Promise<ExtentStore>): void {
  describe("extent store", () => {
    test.each([1, 65_535, 65_536, 65_537, 524_288, 1_000_003, 1_048_576, 1_052_582, 1_052_672, 3_300_000])(
      "gives back %i bytes, whole and in parts",
      async (size) => {
        const store = await openStore();
        const bytes = randomBytes(size);
        const id = await writeExtent(store, bytes);
        expect((await readExtent(store, id, 0, size)).equals(bytes)).toBe(true);
        for (const [start, end] of [
          [0, 1],
          [size - 1, size],
          [Math.floor(size / 3), Math.ceil((2 * size) / 3)],
        ] as const) {
          expect((await readExtent(store, id, start, end)).equals(bytes.subarray(start, end))).toBe(true);
        }
      },
    );

    test("takes bytes in parts of any size", async () => {
      const store = await openStore();
      const parts = [1, 70_000, 0, 600_000, 5].map((size) => randomBytes(size));
      const writer = await store.create();
      for (const part of parts) {
        await writer.write(part);
      }
      await writer.finish();
      const whole = Buffer.concat(parts);
      expect((await readExtent(store, writer.id, 0, whole.length)).equals(whole)).toBe(true);
    });

    test("lets every byte be watched in order, and fails when watching does", async () => {
      const store = await openStore();
      const bytes = randomBytes(2_200_000);
      const watched: Buffer[] = [];
      const writer = await store.create(async (part) => {
        await new Promise(setImmediate);
        watched.push(Buffer.from(part));
      });
      await writer.write(bytes.subarray(0, 300_000));
      // While the rest is still on its way.
      await expect.poll(() => watched.length).toBe(1);
      await writer.write(bytes.subarray(300_000));
      await writer.finish();
      expect(Buffer.concat(watched).equals(bytes)).toBe(true);

      const failing = await store.create(() => Promise.reject(new Error("no more")));
      await failing.write(bytes.subarray(0, 1000));
      await expect(failing.finish()).rejects.toMatchObject({ code: "InternalError" });
      await failing.abort();
    });

    test("gives every extent an id of its own, also at once", async () => {
      const store = await openStore();
      const ids = await Promise.all(Array.from({ length: 50 }, () => writeExtent(store, Buffer.from("x"))));
      expect(new Set(ids).size).toBe(50);
    });

    test("keeps extents apart that are written at once, some of them given up", async () => {
      const store = await openStore();
      const write = async (size: number): Promise<readonly [string, Buffer] | undefined> => {
        const bytes = randomBytes(size);
        const writer = await store.create();
        for (let at = 0; at < size; at += 100_000) {
          await writer.write(bytes.subarray(at, at + 100_000));
        }
        if (size % 2 === 1) {
          await writer.abort();
          return undefined;
        }
        await writer.finish();
        return [writer.id, bytes];
      };
      const written = await Promise.all(Array.from({ length: 30 }, (_, index) => write(index * 90_001)));
      for (const [id, bytes] of written.filter((each) => each !== undefined)) {
        expect((await readExtent(store, id, 0, bytes.length)).equals(bytes)).toBe(true);
      }
    });

    test("lists what there is, and no longer what was deleted or given up", async () => {
      const store = await openStore();
      const [kept, deleted] = [await writeExtent(store, Buffer.from("a")), await writeExtent(store, Buffer.from("b"))];
      const abandoned = await store.create();
      await abandoned.write(Buffer.from("c"));
      await abandoned.abort();
      await store.delete(deleted);
      await store.delete(deleted);
      const listed: string[] = [];
      for await (const { id } of store.list()) {
        listed.push(id);
      }
      expect(listed).toContain(kept);
      expect(listed).not.toContain(deleted);
      expect(listed).not.toContain(abandoned.id);
    });

    test("refuses to read what isn't there", async () => {
      const store = await openStore();
      const id = await writeExtent(store, Buffer.from("a"));
      await store.delete(id);
      await expect(readExtent(store, id, 0, 1)).rejects.toMatchObject({ name: "ExtentCorruptionError" });
    });
  });
}

export async function writeExtent(store: ExtentStore, bytes: Uint8Array): Promise<string> {
  const writer = await store.create();
  await writer.write(bytes);
  await writer.finish();
  return writer.id;
}

export async function readExtent(store: ExtentStore, id: string, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of store.read(id, start, end)) {
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}
