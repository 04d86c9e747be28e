import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";
import { NewFiles } from "./new-files.ts";

let fileSystem: UnsyncedFileSystem;
let files: NewFiles;

beforeEach(() => {
  fileSystem = new UnsyncedFileSystem();
  files = open();
});
afterEach(() => vi.useRealTimers());

const open = (): NewFiles => new NewFiles({ root: "/extents", fileSystem, nowMs: 1 });
const syncs = (): number => fileSystem.log.filter((entry) => entry === "sync directory").length;
const madeAhead = (count: number): Promise<void> => vi.waitFor(() => expect(fileSystem.fileNames).toHaveLength(count));

test("one upload at a time makes its own file and nothing ahead", async () => {
  await files.take(1);
  await files.take(1);
  await new Promise(setImmediate);
  expect(fileSystem.fileNames).toHaveLength(2);
});

test("uploads at once find files whose names are durable, by one sync for many", async () => {
  await files.take(4);
  await madeAhead(1 + 8);
  await vi.waitFor(() => expect(syncs()).toBe(2));
  for (let taken = 0; taken < 8; taken += 1) {
    const { file, syncName } = await files.take(1);
    await file.write(Buffer.alloc(4096), 0);
    await file.sync();
    await syncName();
  }
  expect(syncs()).toBe(2);
  fileSystem.powerCut();
  expect(fileSystem.fileNames).toHaveLength(9);
});

test("however many uploads there are, few files are made ahead", async () => {
  await files.take(1000);
  await madeAhead(1 + 16);
  await new Promise(setImmediate);
  expect(fileSystem.fileNames).toHaveLength(17);
});

test("a file whose name could not be synced is not given out", async () => {
  await files.take(1);
  fileSystem.syncDirectory = () => Promise.reject(new Error("EIO"));
  await files.take(2);
  await madeAhead(2);
  const { syncName } = await files.take(1);
  await expect(syncName()).rejects.toThrow("EIO");
});

test("what nobody takes is removed after a while, and when the store is closed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await files.take(2);
  await files.close();
  expect(fileSystem.fileNames).toHaveLength(1);
  await files.take(2);
  await vi.waitUntil(() => fileSystem.fileNames.length === 2 + 4);
  await vi.waitUntil(() => vi.getTimerCount() === 1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fileSystem.fileNames).toHaveLength(2);
});
