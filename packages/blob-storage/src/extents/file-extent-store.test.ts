import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readExtent, runExtentStoreSuite, writeExtent } from "../testing/extent-store-suite.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";
import { BLOCK_BYTES } from "./extent-format.ts";
import { type ReadableFile } from "./file-system.ts";
import { FileExtentStore } from "./file-extent-store.ts";
import { nodeFileSystem } from "./node-file-system.ts";
import { takeWriteMemory } from "./write-memory.ts";

const open = (fileSystem: UnsyncedFileSystem, nowMs = 1): FileExtentStore =>
  new FileExtentStore({ directory: "/extents", fileSystem, nowMs });

describe("on the real file system", () => {
  let directory = "";
  let run = Date.now();
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "trefoil-extents-"));
  });
  afterAll(() => rm(directory, { recursive: true }));
  runExtentStoreSuite(() =>
    Promise.resolve(new FileExtentStore({ directory, fileSystem: nodeFileSystem, nowMs: run++ })),
  );

  test("memory that begins at no page, which cannot pass the cache by, is written all the same", async () => {
    const name = path.join(directory, "unaligned");
    const bytes = randomBytes(3 * BLOCK_BYTES + 1);
    const file = await nodeFileSystem.create(name);
    const memory = takeWriteMemory();
    memory.set(bytes);
    await file.write(memory.subarray(0, BLOCK_BYTES), 0);
    await file.write(memory.subarray(BLOCK_BYTES + 1, 3 * BLOCK_BYTES + 1), BLOCK_BYTES);
    await file.sync();
    await file.close();
    expect(await readFile(name)).toEqual(
      Buffer.concat([bytes.subarray(0, BLOCK_BYTES), bytes.subarray(BLOCK_BYTES + 1)]),
    );
  });

  test("extents of version 1, without padding, are read", async () => {
    const store = new FileExtentStore({ directory, fileSystem: nodeFileSystem, nowMs: run++ });
    const bytes = randomBytes(1000);
    const id = await writeExtent(store, bytes);
    const tail = (await readFile(path.join(directory, id))).subarray(BLOCK_BYTES - 28);
    tail.writeUInt32LE(1, 8);
    await writeFile(path.join(directory, id), Buffer.concat([bytes, tail]));
    expect((await readExtent(store, id, 0, 1000)).equals(bytes)).toBe(true);
    await store.close();
  });
});

describe("in memory", () => {
  runExtentStoreSuite(() => Promise.resolve(open(new UnsyncedFileSystem())));
});

describe("durability", () => {
  test("a finished extent survives a power cut; one that was not finished has no footer or no file", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const store = open(fileSystem);
    const bytes = randomBytes(700_000);
    const id = await writeExtent(store, bytes);
    const unfinished = await store.create();
    await unfinished.write(randomBytes(600_000));
    fileSystem.powerCut();
    const later = open(fileSystem, 2);
    expect((await readExtent(later, id, 0, bytes.length)).equals(bytes)).toBe(true);
    await expect(readExtent(later, unfinished.id, 0, 1)).rejects.toMatchObject({ name: "ExtentCorruptionError" });
  });

  test("uploads at the same time share syncs of their directory", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const store = open(fileSystem);
    await writeExtent(store, Buffer.from("first"));
    fileSystem.log.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => writeExtent(store, randomBytes(1000))));
    expect(fileSystem.log.filter((entry) => entry === "sync file")).toHaveLength(20);
    expect(fileSystem.log.filter((entry) => entry === "sync directory").length).toBeLessThanOrEqual(3);
    await store.close();
    fileSystem.powerCut();
    expect(fileSystem.fileNames).toHaveLength(21);
  });

  test("what an earlier run left is told from what this one writes", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const before = await writeExtent(open(fileSystem), Buffer.from("a"));
    const store = open(fileSystem, 1);
    const now = await writeExtent(store, Buffer.from("b"));
    const listed = new Map<string, boolean>();
    for await (const { id, isOfThisRun } of store.list()) {
      listed.set(id, isOfThisRun);
    }
    expect(listed).toEqual(
      new Map([
        [before, false],
        [now, true],
      ]),
    );
  });
});

describe("a full disk", () => {
  test.each([0, 100_000, 300_000])("after %i bytes refuses the extent and leaves no file", async (freeBytes) => {
    const fileSystem = new UnsyncedFileSystem();
    const store = open(fileSystem);
    const kept = await writeExtent(store, Buffer.from("before"));
    fileSystem.freeBytes = freeBytes;
    const write = async (): Promise<void> => {
      const writer = await store.create();
      try {
        for (let part = 0; part < 20; part++) {
          await writer.write(randomBytes(100_000));
        }
        await writer.finish();
      } catch (error) {
        await writer.abort();
        throw error;
      }
    };
    await expect(write()).rejects.toMatchObject({ code: "InsufficientStorage" });
    expect(fileSystem.fileNames).toHaveLength(1);
    expect((await readExtent(store, kept, 0, 6)).toString()).toBe("before");
  });
});

describe("damage", () => {
  const size = 200_000;

  // One byte in every part of the file: data of each chunk, table of checksums, each field of the footer.
  test.each([0, 65_535, 65_536, 199_999, -40, -25, -24, -20, -16, -12, -8, -1])(
    "of the byte %i is found before it is given out",
    async (position) => {
      const fileSystem = new UnsyncedFileSystem();
      const store = open(fileSystem);
      const bytes = randomBytes(size);
      const id = await writeExtent(store, bytes);
      fileSystem.damage(`/extents/${id}`, position);
      const given: Buffer[] = [];
      const read = async (): Promise<void> => {
        for await (const part of store.read(id, 0, size)) {
          given.push(Buffer.from(part));
        }
      };
      await expect(read()).rejects.toMatchObject({ name: "ExtentCorruptionError", extentId: id });
      const sent = Buffer.concat(given);
      expect(sent.equals(bytes.subarray(0, sent.length))).toBe(true);
    },
  );

  test("in one chunk leaves the others readable", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const store = open(fileSystem);
    const bytes = randomBytes(size);
    const id = await writeExtent(store, bytes);
    fileSystem.damage(`/extents/${id}`, 70_000);
    expect((await readExtent(store, id, 131_072, size)).equals(bytes.subarray(131_072))).toBe(true);
    await expect(readExtent(store, id, 65_536, 65_537)).rejects.toThrow();
  });

  test("a file cut off anywhere is no extent", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const store = open(fileSystem);
    const id = await writeExtent(store, randomBytes(1000));
    const name = `/extents/${id}`;
    for (let length = fileSystem.sizeOf(name) - 1; length >= 0; length -= 7) {
      fileSystem.truncate(name, length);
      await expect(readExtent(store, id, 0, 10)).rejects.toMatchObject({ name: "ExtentCorruptionError" });
    }
  });
});

describe("files that are kept open", () => {
  test("are opened once for reads that follow each other, and closed with the store", async () => {
    const opened: string[] = [];
    let closed = 0;
    class CountingFileSystem extends UnsyncedFileSystem {
      override async open(file: string): Promise<ReadableFile> {
        const inner = await super.open(file);
        opened.push(file);
        const close = (): Promise<void> => {
          closed += 1;
          return inner.close();
        };
        return { size: inner.size, read: (buffer, position) => inner.read(buffer, position), close };
      }
    }
    const store = new FileExtentStore({ directory: "/extents", fileSystem: new CountingFileSystem(), nowMs: 1 });
    const bytes = randomBytes(2_000_000);
    const ids = await Promise.all(Array.from({ length: 100 }, () => writeExtent(store, Buffer.from("x"))));
    const id = await writeExtent(store, bytes);
    await Promise.all(Array.from({ length: 10 }, () => readExtent(store, id, 0, bytes.length)));
    await readExtent(store, id, 0, bytes.length);
    expect(opened).toHaveLength(1);
    for (const other of ids) {
      await readExtent(store, other, 0, 1);
    }
    // No more than a few files are open, however many are read.
    await expect.poll(() => opened.length - closed).toBeLessThanOrEqual(64);
    await store.delete(ids[99]!);
    await expect(readExtent(store, ids[99]!, 0, 1)).rejects.toMatchObject({ name: "ExtentCorruptionError" });
    await store.close();
    expect(opened.length - closed).toBe(0);
  });

  test("a read that is left early lends its file to the next one", async () => {
    const store = open(new UnsyncedFileSystem());
    const bytes = randomBytes(3_000_000);
    const id = await writeExtent(store, bytes);
    for await (const part of store.read(id, 0, bytes.length)) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    expect((await readExtent(store, id, 0, bytes.length)).equals(bytes)).toBe(true);
  });
});
