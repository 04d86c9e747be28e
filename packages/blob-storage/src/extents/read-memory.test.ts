import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readExtent, writeExtent } from "../testing/extent-store-suite.ts";
import { FileExtentStore } from "./file-extent-store.ts";
import { nodeFileSystem } from "./node-file-system.ts";
import { READ_BYTES } from "./read-memory.ts";

let directory: string;
let store: FileExtentStore;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "trefoil-extents-"));
  store = new FileExtentStore({ directory, fileSystem: nodeFileSystem, nowMs: Date.now() });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("reads at once never see each other's bytes, though some are left early and memory goes round", async () => {
  const contents = Array.from({ length: 8 }, (_, index) => randomBytes(READ_BYTES * 3 + index));
  const ids = await Promise.all(contents.map((bytes) => writeExtent(store, bytes)));
  const readWhole = async (index: number): Promise<boolean> => {
    const expected = contents[index]!;
    return (await readExtent(store, ids[index]!, 0, expected.length)).equals(expected);
  };
  const leaveEarly = async (index: number): Promise<boolean> => {
    for await (const part of store.read(ids[index]!, 0, contents[index]!.length)) {
      return Buffer.from(part).equals(contents[index]!.subarray(0, part.length));
    }
    return false;
  };
  for (let round = 0; round < 5; round += 1) {
    const turns = contents.flatMap((_, index) => [leaveEarly(index), readWhole(index)]);
    expect(await Promise.all(turns)).not.toContain(false);
  }
});
