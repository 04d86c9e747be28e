import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  BlobServiceClient,
  type BlockBlobClient,
  type ContainerClient,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { type InitialCredentials } from "@trefoil/installation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "./server-process.ts";

// The long run is `TREFOIL_CRASH_CYCLES=500 npm run test:crash`.
const CYCLES = Number(process.env["TREFOIL_CRASH_CYCLES"] ?? 20);
const WRITERS = 6;
/** On a machine that is busy with other things. */
const CYCLE_LIMIT_MS = 15_000;

let dataDirectory = "";
beforeAll(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), "trefoil-objects-crash-"));
});
afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

async function credentials(): Promise<InitialCredentials["objects"]> {
  const text = await readFile(path.join(dataDirectory, "initial-credentials.json"), "utf8");
  return (JSON.parse(text) as InitialCredentials).objects;
}

async function connect({ baseUrl: url }: ServerProcess): Promise<ContainerClient> {
  const { account, keys } = await credentials();
  const credential = new StorageSharedKeyCredential(account, keys[0]!);
  const options = { retryOptions: { maxTries: 1 }, keepAliveOptions: { enable: true } };
  return new BlobServiceClient(`${url}/${account}`, credential, options).getContainerClient("crash");
}

/**
 * What may be in the store: of each blob the states that were acknowledged last or were on their way when the process
 * died; `undefined` for "not there".
 */
type State = Buffer | undefined;
type Possible = Map<string, readonly State[]>;

/** Snapshots that were acknowledged, by their blob: each keeps what the blob was. */
type Snapshots = Map<string, { readonly id: string; readonly content: Buffer }[]>;

interface Writer {
  readonly container: ContainerClient;
  readonly number: number;
  readonly possible: Possible;
  readonly snapshots: Snapshots;
  readonly random: () => number;
  readonly count: { acknowledged: number };
}

/** Writes blobs of its own names in every way there is, until the server is gone. */
async function write(writer: Writer): Promise<void> {
  const { possible, random, count } = writer;
  for (;;) {
    const [name, after, act] = chooseChange(writer, random);
    possible.set(name, [...(possible.get(name) ?? [undefined]), after]);
    try {
      await act();
    } catch {
      return;
    }
    possible.set(name, [after]);
    count.acknowledged += 1;
  }
}

type Change = readonly [name: string, after: State, act: () => Promise<unknown>];

function chooseChange({ container, number, possible, snapshots }: Writer, random: () => number): Change {
  const name = `writer-${number}/${Math.floor(random() * 8)}`;
  const [before] = possible.get(name) ?? [undefined];
  // Sizes on both sides of the limit below which blobs live in their row.
  const body = randomBytes(1 + Math.floor(random() * (random() < 0.5 ? 4_000 : 300_000)));
  const block = container.getBlockBlobClient(name);
  switch (Math.floor(random() * 7)) {
    case 0:
      return before === undefined
        ? [name, body, () => block.upload(body, body.length)]
        : [name, undefined, () => deleteWithSnapshots(block, snapshots)];
    case 1:
      return [name, body, () => uploadInBlocks(block, body)];
    case 2:
      return appendTo(container, `writer-${number}/log`, possible, body.subarray(0, 30_000));
    case 3:
      return copyOf(container, `writer-${number}/copy`, name, before);
    case 4:
      return before === undefined
        ? [name, body, () => block.upload(body, body.length)]
        : [name, before, () => takeSnapshot(block, before, snapshots)];
    default:
      return [name, body, () => block.upload(body, body.length)];
  }
}

async function takeSnapshot(blob: BlockBlobClient, content: Buffer, snapshots: Snapshots): Promise<void> {
  const { snapshot } = await blob.createSnapshot();
  snapshots.set(blob.name, [...(snapshots.get(blob.name) ?? []), { id: snapshot!, content }]);
}

async function deleteWithSnapshots(blob: BlockBlobClient, snapshots: Snapshots): Promise<void> {
  // From now on nobody knows whether they are still there.
  snapshots.delete(blob.name);
  await blob.delete({ deleteSnapshots: "include" });
}

async function uploadInBlocks(blob: BlockBlobClient, body: Buffer): Promise<void> {
  const middle = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter((part) => part.length > 0);
  const ids = parts.map((_, index) => Buffer.from(`block ${index}`).toString("base64"));
  await Promise.all(parts.map((part, index) => blob.stageBlock(ids[index]!, part, part.length)));
  await blob.commitBlockList(ids);
}

function appendTo(container: ContainerClient, name: string, possible: Possible, body: Buffer): Change {
  const blob = container.getAppendBlobClient(name);
  const [before] = possible.get(name) ?? [undefined];
  return before === undefined
    ? [name, Buffer.alloc(0), () => blob.create()]
    : [name, Buffer.concat([before, body]), () => blob.appendBlock(body, body.length)];
}

function copyOf(container: ContainerClient, name: string, from: string, content: State): Change {
  const blob = container.getBlockBlobClient(name);
  return content === undefined
    ? [name, Buffer.from("nothing to copy"), () => blob.upload("nothing to copy", 15)]
    : [name, content, () => blob.syncCopyFromURL(container.getBlobClient(from).url)];
}

/** Reads everything back; what is found is from now on the only possible state. */
async function verify(container: ContainerClient, possible: Possible, snapshots: Snapshots): Promise<void> {
  const listed = new Set<string>();
  for await (const { name } of container.listBlobsFlat()) {
    listed.add(name);
  }
  for (const [name, states] of possible) {
    const found = listed.has(name) ? await container.getBlobClient(name).downloadToBuffer() : undefined;
    const isPossible = states.some((state) => (state === undefined ? found === undefined : found?.equals(state)));
    expect(isPossible, `${name} has ${found?.length} bytes`).toBe(true);
    possible.set(name, [found]);
  }
  expect([...listed].filter((name) => !possible.has(name))).toEqual([]);
  for (const [name, taken] of snapshots) {
    for (const { id, content } of taken) {
      const found = await container.getBlobClient(name).withSnapshot(id).downloadToBuffer();
      expect(found.equals(content), `${name} of ${id}`).toBe(true);
    }
  }
}

test(
  `every acknowledged write survives ${CYCLES} kills, nothing is half-visible, nothing leaks`,
  async () => {
    const seed = Number(process.env["TREFOIL_TEST_SEED"] ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const random = generator(seed);
    const possible: Possible = new Map();
    const snapshots: Snapshots = new Map();
    let acknowledged = 0;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const server = await ServerProcess.start("objects", dataDirectory);
      const container = await connect(server);
      if (cycle === 0) {
        await container.create();
      }
      await verify(container, possible, snapshots);
      const count = { acknowledged: 0 };
      const writers = Array.from({ length: WRITERS }, (_, number) =>
        write({ container, number, possible, snapshots, random, count }),
      );
      // By work, not by time, so that a busy machine kills at the same moments.
      const enough = 1 + random() * 40;
      for (let waitedMs = 0; count.acknowledged < enough && waitedMs < 5_000; waitedMs += 2) {
        await delay(2);
      }
      await server.kill();
      await Promise.all(writers);
      acknowledged += count.acknowledged;
    }
    const server = await ServerProcess.start("objects", dataDirectory);
    const container = await connect(server);
    await verify(container, possible, snapshots);
    await expectNoLeak(server, container);
    await server.stop();
    console.log(`${acknowledged} acknowledged writes`);
    expect(acknowledged).toBeGreaterThan(CYCLES);
  },
  CYCLES * CYCLE_LIMIT_MS,
);

/** After everything was deleted and collected, no file is left. */
async function expectNoLeak(server: ServerProcess, container: ContainerClient): Promise<void> {
  await collect(server);
  const bytes = await storedBytes();
  let needed = 0;
  for await (const { properties } of container.listBlobsFlat({ includeSnapshots: true })) {
    needed += properties.contentLength ?? 0;
  }
  // Staged blocks of a commit that never came may still wait; beyond them nothing is there twice.
  expect(bytes).toBeLessThan(needed * 2 + 1_000_000);
  for await (const { name } of container.listBlobsFlat({ includeUncommitedBlobs: true })) {
    // A commit of no blocks turns names that have only staged ones into blobs that can be deleted.
    await container
      .getBlockBlobClient(name)
      .commitBlockList([])
      .catch(() => undefined);
    await container.deleteBlob(name, { deleteSnapshots: "include" });
  }
  await collect(server);
  expect(await extentFiles()).toEqual([]);
}

async function storedBytes(): Promise<number> {
  const directory = path.join(dataDirectory, "objects", "extents");
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function collect({ baseUrl: url }: ServerProcess): Promise<void> {
  const token = (await readFile(path.join(dataDirectory, "cli-token"), "utf8")).trim();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/management/collect`, { method: "POST", headers });
  expect(answer.status).toBe(200);
}

async function extentFiles(): Promise<readonly string[]> {
  const entries = await readdir(path.join(dataDirectory, "objects", "extents"), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test("a full disk refuses writes with a clear error, loses nothing and stays readable", async () => {
  const directory = dataDirectory;
  const first = await ServerProcess.start("objects", directory);
  const before = await connect(first);
  const body = randomBytes(100_000);
  await before.getBlockBlobClient("kept").upload(body, body.length);
  await first.stop();

  const limited = await ServerProcess.start("objects", directory, { fileLimitKib: 1024 });
  const container = await connect(limited);
  const tooLarge = randomBytes(3_000_000);
  await expect(container.getBlockBlobClient("large").upload(tooLarge, tooLarge.length)).rejects.toMatchObject({
    statusCode: 507,
    code: "InsufficientStorage",
  });
  // Rows fill the database's log until it may not grow any more.
  const small = randomBytes(16_000);
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  for (let index = 0; index < 200 && refused.length < 3; index++) {
    const name = `small/${index}`;
    await container
      .getBlockBlobClient(name)
      .upload(small, small.length)
      .then(
        () => acknowledged.push(name),
        (error: unknown) => refused.push(error),
      );
  }
  expect(refused[0]).toMatchObject({ statusCode: 507, code: "InsufficientStorage" });
  expect((await container.getBlobClient("kept").downloadToBuffer()).equals(body)).toBe(true);
  await limited.kill();

  const later = await ServerProcess.start("objects", directory);
  const after = await connect(later);
  for (const name of acknowledged) {
    expect((await after.getBlobClient(name).downloadToBuffer()).equals(small)).toBe(true);
  }
  expect(await after.getBlobClient("large").exists()).toBe(false);
  await after.getBlockBlobClient("large").upload(tooLarge, tooLarge.length);
  await later.stop();
});

test("a second process on the same folder is refused and names the first", async () => {
  const server = await ServerProcess.start("objects", dataDirectory);
  await expect(ServerProcess.start("objects", dataDirectory)).rejects.toThrow(/\d+/u);
  await server.stop();
});

/** Mulberry32: the same choices for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
