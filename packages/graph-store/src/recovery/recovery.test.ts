import { systemClock } from "@trefoil/base";
import { describe, expect, test } from "vitest";
import { openStore } from "../graph-store.ts";
import { FORMAT_VERSIONS, HEADER_BYTES } from "../log/file-header.ts";
import { decodeRecord } from "../log/log-record.ts";
import { type Store } from "../store.ts";
import { checkpointOfVersion1 } from "../testing/checkpoint-version-1.ts";
import { dumpView, type GraphDump } from "../testing/graph-dump.ts";
import { MemoryFiles } from "../testing/memory-files.ts";

const LOG = "log-0000000001.trefoil";

const open = (files: MemoryFiles): Promise<Store> => openStore({ clock: systemClock }, files);

function dump(store: Store): GraphDump {
  const transaction = store.begin();
  const result = dumpView(transaction.openView());
  transaction.rollback();
  return result;
}

/** Commits a node with its number as a property, tied to the first one. */
async function addNode(store: Store, number: number): Promise<void> {
  const transaction = store.begin();
  const node = transaction.createNode([transaction.labelId(`L${number % 3}`)]);
  transaction.setNodeProperty(node, transaction.propertyKeyId(`k${number}`), number);
  if (node > 0) {
    transaction.lockNode(0);
    transaction.createRelationship(0, transaction.relationshipTypeId("NEXT"), node);
  }
  await transaction.commit();
}

/** The log without the room ahead of its commits. */
function writtenTo(files: MemoryFiles): Buffer {
  const bytes = files.content(LOG);
  let end = HEADER_BYTES;
  for (let record = decodeRecord(bytes, end); record !== undefined; record = decodeRecord(bytes, end)) {
    end = record.end;
  }
  return Buffer.from(bytes.subarray(0, end));
}

/** A log of six commits, and what the graph looks like after each and after one more. */
async function smallLog(): Promise<{ bytes: Buffer; after: GraphDump[] }> {
  const files = new MemoryFiles();
  const store = await open(files);
  const after = [dump(store)];
  for (let number = 0; number < 6; number++) {
    await addNode(store, number);
    after.push(dump(store));
  }
  const bytes = writtenTo(files);
  await addNode(store, 6);
  after.push(dump(store));
  await store.close();
  return { bytes, after };
}

describe("recovery", () => {
  test("a log cut at any byte gives the commits that are whole, and takes new ones", { timeout: 60_000 }, async () => {
    const { bytes, after } = await smallLog();
    const ends = [HEADER_BYTES];
    while (ends.at(-1)! < bytes.length) {
      ends.push(decodeRecord(bytes, ends.at(-1)!)!.end);
    }
    for (let cut = 0; cut <= bytes.length; cut++) {
      const files = new MemoryFiles();
      files.put(LOG, bytes.subarray(0, cut));
      const store = await open(files);
      const whole = Math.max(ends.filter((end) => end <= cut).length - 1, 0);
      expect(dump(store)).toEqual(after[whole]);
      await addNode(store, whole);
      expect(dump(store)).toEqual(after[whole + 1]);
      await store.close();
      const again = await open(files.afterPowerCut());
      expect(dump(again)).toEqual(after[whole + 1]);
      await again.close();
    }
  });

  test("a damaged record before intact ones is refused, never skipped", async () => {
    const { bytes } = await smallLog();
    const second = decodeRecord(bytes, HEADER_BYTES)!.end;
    for (const at of [second, second + 5, second + 9, second + 30]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = damaged[at]! ^ 0x40;
      const files = new MemoryFiles();
      files.put(LOG, damaged);
      await expect(open(files)).rejects.toMatchObject({
        name: "StoreCorruptionError",
        message: expect.stringContaining(`damaged at byte ${second}`),
      });
    }
  });

  test("a batch of which only the end reached the disk was never acknowledged: it is cut off", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    await addNode(store, 0);
    const before = dump(store);
    const start = writtenTo(files).length;
    const three = [store.begin(), store.begin(), store.begin()];
    three.forEach((transaction) => transaction.createNode([]));
    await Promise.all(three.map((transaction) => transaction.commit()));
    const torn = Buffer.from(files.content(LOG));
    torn.fill(0, start, decodeRecord(torn, start)!.end);
    const left = new MemoryFiles();
    left.put(LOG, torn);
    expect(dump(await open(left))).toEqual(before);
    expect(left.content(LOG).length).toBe(start);

    const damaged = Buffer.from(files.content(LOG));
    damaged.fill(0, HEADER_BYTES, start);
    const refused = new MemoryFiles();
    refused.put(LOG, damaged);
    await expect(open(refused)).rejects.toThrow("damaged");
  });

  test("many commits share a sync", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    const before = files.syncs;
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const transaction = store.begin();
        transaction.createNode([]);
        await transaction.commit();
      }),
    );
    expect(files.syncs - before).toBeLessThanOrEqual(2);
    expect(Object.keys(dump(await open(files.afterPowerCut())).nodes)).toHaveLength(100);
  });

  test("small commits find room that is on the disk already, and give it back in the end", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    await addNode(store, 0);
    await addNode(store, 1);
    const { length } = files.content(LOG);
    await addNode(store, 2);
    expect(files.content(LOG).length).toBe(length);
    expect(dump(await open(files.afterPowerCut()))).toEqual(dump(store));
    const written = writtenTo(files);
    await store.close();
    expect(files.content(LOG)).toEqual(written);
  });

  test("commits that fill the room go on behind it", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    for (let number = 0; number < 40; number++) {
      const transaction = store.begin();
      const node = transaction.createNode([]);
      transaction.setNodeProperty(
        node,
        transaction.propertyKeyId("text"),
        "x".repeat(number % 8 === 7 ? 40_000 : 9000),
      );
      await transaction.commit();
    }
    expect(dump(await open(files.afterPowerCut()))).toEqual(dump(store));
    expect(await store.check()).toEqual([]);
  });

  test("room that a power cut left in a log does not hide the logs that follow", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    const reader = store.begin();
    reader.openView();
    await addNode(store, 0);
    await addNode(store, 1);
    // The view keeps the checkpoint from covering the first log.
    await store.checkpoint();
    await addNode(store, 2);
    const left = files.afterPowerCut();
    expect(left.content(LOG).at(-1)).toBe(0);
    expect(dump(await open(left))).toEqual(dump(store));
  });

  test("nobody sees a commit before it is on the disk", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    const transaction = store.begin();
    transaction.createNode([]);
    const commit = transaction.commit();
    await Promise.resolve();
    expect(dump(store).nodes).toEqual({});
    await commit;
    expect(Object.keys(dump(store).nodes)).toHaveLength(1);
  });

  test("a full disk refuses the write, loses nothing, and is no trouble once there is space", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    await addNode(store, 0);
    const before = dump(store);
    files.spaceLeft = 20;
    const refused = addNode(store, 1);
    await expect(refused).rejects.toMatchObject({
      code: "DatabaseError.Transaction.CouldNotWriteToLog",
      message: expect.stringContaining("disk is full"),
    });
    expect(dump(store)).toEqual(before);
    await expect(store.checkpoint()).rejects.toThrow("no space");
    files.spaceLeft = 1e9;
    await addNode(store, 2);
    const after = dump(store);
    expect(Object.keys(after.nodes)).toHaveLength(2);
    expect(dump(await open(files.afterPowerCut()))).toEqual(after);
  });

  test("a failing sync ends writing; reading goes on", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    await addNode(store, 0);
    const before = dump(store);
    files.failSyncs = true;
    await expect(addNode(store, 1)).rejects.toMatchObject({ code: "DatabaseError.Transaction.CouldNotWriteToLog" });
    files.failSyncs = false;
    await expect(addNode(store, 2)).rejects.toMatchObject({ code: "DatabaseError.Transaction.CouldNotWriteToLog" });
    expect(dump(store)).toEqual(before);
  });

  test("refuses newer and foreign stores in the words of the interface", async () => {
    const { bytes } = await smallLog();
    const newer = Buffer.from(bytes);
    newer.writeUInt32LE(FORMAT_VERSIONS.log + 1, 16);
    const files = new MemoryFiles();
    files.put(LOG, newer);
    await expect(open(files)).rejects.toMatchObject({
      name: "StartError",
      code: "store",
      message:
        `'memory/${LOG}' has a store version number that we cannot upgrade from. ` +
        "Expected 'trefoil-graph-1' but file is version 'trefoil-graph-2'.",
    });
    const foreign = new MemoryFiles();
    foreign.put("neostore", Buffer.from("…NeoStore v0.A.6", "utf8"));
    await expect(open(foreign)).rejects.toMatchObject({
      code: "store",
      message: expect.stringContaining("file is version 'NeoStore v0.A.6'"),
    });
  });

  test("is the same after a crash at any step of a checkpoint", { timeout: 60_000 }, async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    for (let number = 0; number < 5; number++) {
      await addNode(store, number);
    }
    const steps: MemoryFiles[] = [];
    for (const name of ["create", "rename", "remove", "syncNames"] as const) {
      const original = files[name].bind(files) as (...names: string[]) => Promise<never>;
      files[name] = (async (...names: string[]) => {
        steps.push(files.copy(), files.afterPowerCut());
        return original(...names);
      }) as never;
    }
    await store.checkpoint();
    const expected = dump(store);
    expect(steps.length).toBeGreaterThanOrEqual(10);
    for (const step of [...steps, files.copy(), files.afterPowerCut()]) {
      const reopened = await open(step);
      expect(dump(reopened)).toEqual(expected);
      await addNode(reopened, 9);
      const further = dump(reopened);
      await reopened.close();
      expect(dump(await open(step.afterPowerCut()))).toEqual(further);
    }
    expect(await files.names()).toEqual(["checkpoint-0000000000000005.trefoil", "log-0000000002.trefoil"]);
  });

  test("a checkpoint of version 1 is read, and written anew as what it is now", async () => {
    const files = new MemoryFiles();
    const name = "checkpoint-0000000000000002.trefoil";
    files.put(name, checkpointOfVersion1());
    const store = await open(files);
    const graph = dump(store);
    expect(Object.values(graph.nodes).map(({ labels, properties }) => [labels, Object.values(properties)])).toEqual([
      [
        [0, 1],
        ['"text 0"', "-3"],
      ],
      [[0], ['"text 1"', "-2", "1.5"]],
      [
        [0, 1],
        ['"text 2"', "-1", '"ünïcode"'],
      ],
      [[0], ['"text 3"', "0", '"int 1152921504606846976"']],
      [
        [0, 1],
        ['"text 0"', "1"],
      ],
      [[0], ['"text 1"', "2"]],
    ]);
    expect(Object.values(graph.relationships).map(({ ends, properties }) => [ends, Object.values(properties)])).toEqual(
      [
        [[0, 0, 0], ["1990"]],
        [[1, 0, 5], ["1991"]],
        [[3, 0, 3], ["1993"]],
        [[4, 0, 2], ["1994"]],
        [[5, 0, 1], ["1995"]],
        [[5, 1, 0], ["true"]],
      ],
    );
    expect(await store.check()).toEqual([]);
    const transaction = store.begin();
    transaction.createNode([]);
    await transaction.commit();
    await store.checkpoint();
    const after = dump(store);
    await store.close();
    expect(files.content("checkpoint-0000000000000003.trefoil").readUInt32LE(16)).toBe(FORMAT_VERSIONS.checkpoint);
    expect(dump(await open(files.afterPowerCut()))).toEqual(after);
  });

  test("a damaged checkpoint is refused", async () => {
    const files = new MemoryFiles();
    const store = await open(files);
    await addNode(store, 0);
    await store.checkpoint();
    await store.close();
    const name = "checkpoint-0000000000000001.trefoil";
    for (const at of [70, 45, files.content(name).length - 30, files.content(name).length - 1]) {
      const damaged = files.copy();
      const bytes = Buffer.from(files.content(name));
      bytes[at] = bytes[at]! ^ 1;
      damaged.put(name, bytes);
      await expect(open(damaged)).rejects.toMatchObject({ name: "StoreCorruptionError" });
    }
  });
});
