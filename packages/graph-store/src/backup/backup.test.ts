import { Buffer } from "node:buffer";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ManualClock } from "@trefoil/base";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GraphStore, openGraphStore } from "../graph-store.ts";
import { MANIFEST_NAME } from "./backup-manifest.ts";
import { restoreBackup } from "./restore-backup.ts";

let folder = "";
let clock = new ManualClock(0);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-backup-"));
  clock = new ManualClock(1_000);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function open(name: string): Promise<GraphStore> {
  return openGraphStore({ directory: path.join(folder, name), clock });
}

async function createNodes(store: GraphStore, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const transaction = store.begin();
    const node = transaction.createNode([transaction.labelId("N")]);
    transaction.setNodeProperty(node, transaction.propertyKeyId("at"), clock.now());
    await transaction.commit();
    clock.advance(1_000);
  }
}

async function nodesIn(name: string): Promise<number> {
  const store = await open(name);
  expect(await store.check()).toEqual([]);
  const { nodeCount } = store.statistics;
  await store.close();
  return nodeCount;
}

test("a backup made while others write has all that was committed before, and opens after a restore", async () => {
  const store = await open("store");
  const schema = store.begin();
  await schema.createConstraint({ kind: "unique", entity: "node", token: "N", properties: ["at"] });
  await schema.commit();
  await createNodes(store, 20);
  await store.checkpoint();
  await createNodes(store, 10);
  const writing = createNodes(store, 50);
  const report = await store.backup(path.join(folder, "backup"));
  expect(report.files).toBeGreaterThan(1);
  await writing;
  const restored = await restoreBackup(path.join(folder, "backup"), path.join(folder, "restored"));
  expect(restored.nodes).toBeGreaterThanOrEqual(30);
  expect(restored.nodes).toBeLessThanOrEqual(80);
  await store.close();
  expect(await nodesIn("restored")).toBe(restored.nodes);
  const again = await open("restored");
  expect(again.schema.constraints).toHaveLength(1);
  await createNodes(again, 1);
  await again.close();
  expect(await nodesIn("restored")).toBe(restored.nodes + 1);
});

test("a restore can end at a point in time, which is then the store's own end", async () => {
  const store = await open("store");
  await createNodes(store, 10);
  await store.backup(path.join(folder, "backup"));
  await store.close();
  // Committed at 1,000, 2,000, …: the sixth one came later.
  const { nodes, commits } = await restoreBackup(path.join(folder, "backup"), path.join(folder, "then"), 5_500);
  expect({ nodes, commits }).toEqual({ nodes: 5, commits: 5 });
  const then = await open("then");
  await createNodes(then, 2);
  await then.close();
  expect(await nodesIn("then")).toBe(7);
});

test("what is no backup, damaged or in the way is refused", async () => {
  const store = await open("store");
  await createNodes(store, 3);
  const backup = path.join(folder, "backup");
  await store.backup(backup);
  await expect(store.backup(backup)).rejects.toThrow(/is not empty/u);
  await store.close();
  await expect(restoreBackup(path.join(folder, "store"), path.join(folder, "x"))).rejects.toThrow(/holds no backup/u);
  await expect(restoreBackup(backup, path.join(folder, "store"))).rejects.toThrow(/holds a graph already/u);
  const [log = ""] = (await readdir(backup)).filter((name) => name !== MANIFEST_NAME);
  const bytes = await readFile(path.join(backup, log));
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  await writeFile(path.join(backup, log), Buffer.from(bytes));
  await expect(restoreBackup(backup, path.join(folder, "y"))).rejects.toThrow(/damaged/u);
});
