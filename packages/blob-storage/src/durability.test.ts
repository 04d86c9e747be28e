import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "./testing/start-test-service.ts";
import { UnsyncedFileSystem } from "./testing/unsynced-file-system.ts";

const upload = { "~blob-type": "BlockBlob" };
let service: TestService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function start(fileSystem: UnsyncedFileSystem): Promise<TestService> {
  service = await startTestService({ fileSystem });
  await service.client.send("PUT", "/box?restype=container");
  return service;
}

describe("synced before the answer", () => {
  test("every acknowledged upload survives a power cut", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const { client } = await start(fileSystem);
    const bodies = Array.from({ length: 12 }, (_, index) => randomBytes(20_000 + index * 40_000));
    await Promise.all(
      bodies.map(async (body, index) => {
        expect(await client.send("PUT", `/box/${index}`, { headers: upload, body })).toMatchObject({ status: 201 });
        // At the very moment of the answer.
        expect(fileSystem.wouldKeep(body)).toBe(true);
      }),
    );
    fileSystem.powerCut();
    for (const [index, body] of bodies.entries()) {
      const { bytes } = await client.send("GET", `/box/${index}`);
      expect(bytes.equals(body)).toBe(true);
    }
  });
});

describe("a full disk", () => {
  test("refuses uploads with a clear error, loses nothing and goes on when there is room again", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const { client, metadata } = await start(fileSystem);
    const body = randomBytes(100_000);
    await client.send("PUT", "/box/kept", { headers: upload, body });
    fileSystem.freeBytes = 50_000;
    const refused = await client.send("PUT", "/box/kept", { headers: upload, body: randomBytes(900_000) });
    expect(refused).toMatchObject({ status: 507, code: "InsufficientStorage" });
    expect((await client.send("GET", "/box/kept")).bytes.equals(body)).toBe(true);
    expect(fileSystem.fileNames).toHaveLength(1);
    fileSystem.freeBytes = 10_000_000;
    expect(await client.send("PUT", "/box/next", { headers: upload, body })).toMatchObject({ status: 201 });
    expect(metadata).toBeDefined();
  });
});

describe("damage", () => {
  test("cuts the connection before a bad byte is sent, and marks the extent", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const { client, parts } = await start(fileSystem);
    await client.send("PUT", "/box/blob", { headers: upload, body: randomBytes(3_000_000) });
    const [name] = fileSystem.fileNames;
    fileSystem.damage(name!, 2_500_000);
    await expect(client.send("GET", "/box/blob")).rejects.toThrow();
    expect(await client.send("GET", "/box/blob", { headers: { "~range": "bytes=0-99" } })).toMatchObject({
      status: 206,
    });
    expect(parts.collector).toBeDefined();
  });
});

describe("collection", () => {
  test("removes the files of overwritten and deleted blobs and of deleted containers", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const { client, parts } = await start(fileSystem);
    const put = (name: string): Promise<unknown> =>
      client.send("PUT", `/box/${name}`, { headers: upload, body: randomBytes(30_000) });
    await put("a");
    await put("a");
    await put("b");
    await client.send("DELETE", "/box/b");
    await parts.collector.collect();
    expect(fileSystem.fileNames).toHaveLength(1);
    expect(await client.send("GET", "/box/a")).toMatchObject({ status: 200 });
    await client.send("DELETE", "/box?restype=container");
    expect(await parts.collector.collect()).toMatchObject({ containers: 1, extents: 1 });
    expect(fileSystem.fileNames).toEqual([]);
  });

  test("waits for reads that began before", async () => {
    const fileSystem = new UnsyncedFileSystem();
    const { client, parts } = await start(fileSystem);
    const body = randomBytes(30_000);
    await client.send("PUT", "/box/a", { headers: upload, body });
    const [get] = await Promise.all([client.send("GET", "/box/a"), client.send("DELETE", "/box/a")]);
    await parts.collector.collect();
    expect(get.status === 404 || get.bytes.equals(body)).toBe(true);
    expect(fileSystem.fileNames).toEqual([]);
  });
});
