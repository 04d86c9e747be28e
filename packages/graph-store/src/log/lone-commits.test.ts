import { systemClock } from "@trefoil/base";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openStore } from "../graph-store.ts";
import { type Store } from "../store.ts";
import { MemoryFiles } from "../testing/memory-files.ts";

/** How long each write with its sync seems to take. */
let diskMs: number;
let files: MemoryFiles;
let store: Store;

beforeEach(async () => {
  let nowMs = 0;
  diskMs = 0.5;
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += diskMs));
  files = new MemoryFiles();
  store = await openStore({ clock: systemClock }, files);
});
afterEach(async () => {
  await store.close();
  vi.restoreAllMocks();
});

async function commitNode(text = ""): Promise<void> {
  const transaction = store.begin();
  transaction.setNodeProperty(transaction.createNode([]), transaction.propertyKeyId("text"), text);
  await transaction.commit();
}

async function commitOneByOne(count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    await commitNode();
  }
}

/** How many of these commits kept the calling thread waiting. */
async function inPlace(commits: () => Promise<unknown>): Promise<number> {
  const before = files.syncsInPlace;
  await commits();
  return files.syncsInPlace - before;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether a commit is the first one of its turn and goes at once, or waits for the end of it. */
const TURNS = [
  ["first of its turn", nextTurn],
  ["second of its turn", () => undefined],
] as const;

function nodesAfterPowerCut(): Promise<number> {
  return openStore({ clock: systemClock }, files.afterPowerCut()).then(({ base }) => base.nodes.count);
}

describe("commits in place", () => {
  test("begin when four in a row came alone and were on the disk within a millisecond", async () => {
    expect(await inPlace(() => commitOneByOne(4))).toBe(0);
    expect(await inPlace(() => commitOneByOne(5))).toBe(5);
    expect(await nodesAfterPowerCut()).toBe(9);
    expect(await store.check()).toEqual([]);
  });

  test("end with one that took longer, for four others", async () => {
    await commitOneByOne(4);
    diskMs = 1;
    expect(await inPlace(() => commitOneByOne(2))).toBe(1);
    diskMs = 0.5;
    expect(await inPlace(() => commitOneByOne(4))).toBe(0);
    expect(await inPlace(() => commitOneByOne(1))).toBe(1);
  });

  test("end when several come at once", async () => {
    await commitOneByOne(4);
    // The first one goes ahead, since it cannot know.
    expect(await inPlace(() => Promise.all([commitNode(), commitNode(), commitNode()]))).toBe(1);
    expect(await inPlace(() => commitOneByOne(1))).toBe(0);
  });

  test("do not wait for the end of the turn", async () => {
    await commitOneByOne(4);
    await nextTurn();
    const committing = commitNode();
    expect(files.syncsInPlace).toBe(1);
    expect(store.base.nodes.count).toBe(5);
    await committing;
    expect(await nodesAfterPowerCut()).toBe(5);
  });

  test("let others have their turn in between", async () => {
    await commitOneByOne(4);
    await nextTurn();
    let turns = 0;
    const count = (): void => {
      turns += 1;
      again = setImmediate(count);
    };
    let again = setImmediate(count);
    expect(await inPlace(() => commitOneByOne(5))).toBe(5);
    clearImmediate(again);
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("wait until nobody else has a transaction open", async () => {
    await commitOneByOne(4);
    const other = store.begin();
    expect(await inPlace(() => commitOneByOne(5))).toBe(0);
    other.rollback();
    expect(await inPlace(() => commitOneByOne(5))).toBe(1);
  });

  test("bear one read between them, not several", async () => {
    const read = (): void => store.begin().rollback();
    for (let done = 0; done < 4; done++) {
      read();
      await commitNode();
    }
    read();
    expect(await inPlace(() => commitOneByOne(1))).toBe(1);
    read();
    read();
    expect(await inPlace(() => commitOneByOne(1))).toBe(0);
  });

  test("are none of large ones", async () => {
    await commitOneByOne(4);
    expect(await inPlace(() => commitNode("x".repeat(20_000)))).toBe(0);
  });

  test.each(TURNS)(
    "fail on a full disk as others do, which is no trouble once there is space (%s)",
    async (_, turn) => {
      await commitOneByOne(5);
      await turn();
      files.spaceLeft = 20;
      await expect(commitNode()).rejects.toThrow("disk is full");
      files.spaceLeft = 1e9;
      await commitNode();
      expect(store.base.nodes.count).toBe(6);
      expect(await nodesAfterPowerCut()).toBe(6);
    },
  );

  test("that fail are taken back before another one is written", async () => {
    await commitOneByOne(5);
    await nextTurn();
    files.spaceLeft = 20;
    const failing = expect(commitNode()).rejects.toThrow("disk is full");
    files.spaceLeft = 1e9;
    await Promise.all([failing, commitNode()]);
    expect(store.base.nodes.count).toBe(6);
    expect(await nodesAfterPowerCut()).toBe(6);
  });

  test.each(TURNS)("end writing when their sync fails (%s)", async (_, turn) => {
    await commitOneByOne(5);
    await turn();
    files.failSyncs = true;
    await expect(commitNode()).rejects.toThrow("sync of the log failed");
    files.failSyncs = false;
    await expect(commitNode()).rejects.toMatchObject({ code: "DatabaseError.Transaction.CouldNotWriteToLog" });
    expect(store.base.nodes.count).toBe(5);
  });
});
