import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BlobServiceClient, type ContainerClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { type InitialCredentials } from "@trefoil/installation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "./server-process.ts";

const CYCLES = Number(process.env["TREFOIL_CRASH_CYCLES"] ?? 50);
const WRITERS = 6;

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
 * died, as hashes; `undefined` for "not there".
 */
type Possible = Map<string, ReadonlySet<string | undefined>>;

/** Writes, overwrites and deletes blobs of its own names until the server is gone. */
async function write(
  container: ContainerClient,
  writer: number,
  possible: Possible,
  random: () => number,
  count: { acknowledged: number },
): Promise<void> {
  for (;;) {
    const name = `writer-${writer}/${Math.floor(random() * 8)}`;
    const before = possible.get(name) ?? new Set([undefined]);
    // Sizes on both sides of the limit below which blobs live in their row.
    const body = randomBytes(Math.floor(random() * (random() < 0.5 ? 4_000 : 300_000)));
    const isDelete = random() < 0.25 && !before.has(undefined);
    const after = isDelete ? undefined : hashOf(body);
    possible.set(name, new Set([...before, after]));
    try {
      const blob = container.getBlockBlobClient(name);
      await (isDelete ? blob.delete() : blob.upload(body, body.length));
    } catch {
      return;
    }
    possible.set(name, new Set([after]));
    count.acknowledged += 1;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads everything back; what is found is from now on the only possible state. */
async function verify(container: ContainerClient, possible: Possible): Promise<void> {
  const listed = new Set<string>();
  for await (const { name } of container.listBlobsFlat()) {
    listed.add(name);
  }
  for (const [name, states] of possible) {
    const found = listed.has(name) ? hashOf(await container.getBlobClient(name).downloadToBuffer()) : undefined;
    expect(states, name).toContain(found);
    possible.set(name, new Set([found]));
  }
  expect([...listed].filter((name) => !possible.has(name))).toEqual([]);
}

test(`every acknowledged write survives ${CYCLES} kills, nothing is half-visible, nothing leaks`, async () => {
  const seed = Number(process.env["TREFOIL_TEST_SEED"] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const random = generator(seed);
  const possible: Possible = new Map();
  let acknowledged = 0;
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const server = await ServerProcess.start("objects", dataDirectory);
    const container = await connect(server);
    if (cycle === 0) {
      await container.create();
    }
    await verify(container, possible);
    const count = { acknowledged: 0 };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(container, writer, possible, random, count));
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
  await verify(container, possible);
  await expectNoLeak(server, container);
  await server.stop();
  console.log(`${acknowledged} acknowledged writes`);
  expect(acknowledged).toBeGreaterThan(CYCLES);
});

/** After a collection there is exactly one file for each blob that is too large for its row. */
async function expectNoLeak(server: ServerProcess, container: ContainerClient): Promise<void> {
  await collect(server);
  let large = 0;
  for await (const { properties } of container.listBlobsFlat()) {
    large += (properties.contentLength ?? 0) > 16 * 1024 ? 1 : 0;
  }
  expect(await extentFiles()).toHaveLength(large);
  for await (const { name } of container.listBlobsFlat()) {
    await container.deleteBlob(name);
  }
  await collect(server);
  expect(await extentFiles()).toEqual([]);
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
