import path from "node:path";
import { EmbeddedDatabase } from "@trefoil/database";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkStore } from "../scrubbing/check-store.ts";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer, type TestRequest } from "../testing/test-client.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";

let service: TestService;
let fileSystem: UnsyncedFileSystem;

beforeEach(async () => {
  fileSystem = new UnsyncedFileSystem();
  service = await startTestService({ fileSystem });
  await send("PUT", "/box?restype=container");
});
afterEach(() => service.close());

const day = 24 * 3_600_000;
const refused = { status: 507, code: "InsufficientStorage" };

function send(method: string, target: string, request: TestRequest = {}): Promise<TestAnswer> {
  return service.client.send(method, target, request);
}

function put(name: string, bytes: number, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return send("PUT", `/box/${name}`, { headers: { "~blob-type": "BlockBlob", ...headers }, body: Buffer.alloc(bytes) });
}

function stage(name: string, id: string, bytes: number): Promise<TestAnswer> {
  return send("PUT", `/box/${name}?comp=block&blockid=${encodeURIComponent(id)}`, { body: Buffer.alloc(bytes) });
}

function commit(name: string, ...ids: readonly string[]): Promise<TestAnswer> {
  const entries = ids.map((id) => `<Latest>${id}</Latest>`).join("");
  return send("PUT", `/box/${name}?comp=blocklist`, { body: `<BlockList>${entries}</BlockList>` });
}

async function setQuota(bytes: number | undefined): Promise<void> {
  await service.parts.accounts.setQuota(testAccount, bytes);
}

async function keepDeletedFor(days: number): Promise<void> {
  const policy = `<DeleteRetentionPolicy><Enabled>true</Enabled><Days>${days}</Days></DeleteRetentionPolicy>`;
  const body = `<StorageServiceProperties>${policy}</StorageServiceProperties>`;
  await send("PUT", "/?restype=service&comp=properties", { body });
}

/** What is counted, after holding it against what is there. */
async function used(): Promise<number | undefined> {
  const { metadata, extents, accounts } = service.parts;
  const signal = new AbortController().signal;
  const report = await checkStore({ metadata, extents, marks: false, onProgress: () => undefined, signal });
  expect(report.findings).toEqual([]);
  return accounts.findUsedBytes(accounts.get(testAccount));
}

describe("what counts", () => {
  beforeEach(() => setQuota(1_000_000_000));

  test("blobs, in rows and in extents, when they are put, replaced and deleted", async () => {
    await put("small", 1000);
    await put("large", 50_000);
    expect(await used()).toBe(51_000);
    await put("large", 20_000);
    expect(await used()).toBe(21_000);
    await put("small", 0);
    expect(await used()).toBe(20_000);
    await send("DELETE", "/box/large");
    expect(await used()).toBe(0);
  });

  test("staged blocks until they are replaced, committed or forgotten", async () => {
    await stage("blocks", "MDE=", 30_000);
    await stage("blocks", "MDI=", 100);
    await stage("blocks", "MDM=", 7);
    expect(await used()).toBe(30_107);
    await stage("blocks", "MDE=", 40_000);
    expect(await used()).toBe(40_107);
    await commit("blocks", "MDE=", "MDI=", "MDI=");
    expect(await used()).toBe(40_200);
    await stage("blocks", "MDQ=", 500);
    await put("blocks", 10);
    expect(await used()).toBe(10);
    await stage("other", "MDE=", 20_000);
    expect(await used()).toBe(20_010);
    service.clock.advance(8 * day);
    await service.parts.collector.collect();
    expect(await used()).toBe(10);
  });

  test("appended blocks, and page blobs with the length they are made with", async () => {
    await send("PUT", "/box/log", { headers: { "~blob-type": "AppendBlob" } });
    await send("PUT", "/box/log?comp=appendblock", { body: Buffer.alloc(100) });
    await send("PUT", "/box/log?comp=appendblock", { body: Buffer.alloc(30_000) });
    expect(await used()).toBe(30_100);
    await send("DELETE", "/box/log");
    await send("PUT", "/box/pages", { headers: { "~blob-type": "PageBlob", "~blob-content-length": "102400" } });
    expect(await used()).toBe(102_400);
    const range = { range: "bytes=0-51199" };
    await send("PUT", "/box/pages?comp=page", {
      headers: { "~page-write": "update", ...range },
      body: Buffer.alloc(51_200),
    });
    await send("PUT", "/box/pages?comp=page", { headers: { "~page-write": "clear", ...range } });
    expect(await used()).toBe(102_400);
    const resize = (bytes: string): Promise<TestAnswer> =>
      send("PUT", "/box/pages?comp=properties", { headers: { "~blob-content-length": bytes } });
    await resize("204800");
    expect(await used()).toBe(204_800);
    await resize("512");
    expect(await used()).toBe(512);
  });

  test("copies and snapshots with their whole length, though they share bytes", async () => {
    await put("blob", 30_000);
    await send("PUT", "/box/copy", { headers: { "~copy-source": `${service.url}/${testAccount}/box/blob` } });
    await send("PUT", "/box/blob?comp=snapshot");
    expect(await used()).toBe(90_000);
    await send("DELETE", "/box/blob", { headers: { "~delete-snapshots": "only" } });
    expect(await used()).toBe(60_000);
    await send("DELETE", "/box/blob");
    expect(await used()).toBe(30_000);
  });

  test("previous versions until they are deleted", async () => {
    await service.parts.accounts.changeSettings(testAccount, { versioning: true });
    const first = (await put("blob", 30_000)).headers["x-store-version-id"]!;
    await put("blob", 500);
    await send("PUT", "/box/blob?comp=metadata", { headers: { "~meta-a": "1" } });
    expect(await used()).toBe(31_000);
    await send("DELETE", "/box/blob");
    expect(await used()).toBe(31_000);
    await send("DELETE", `/box/blob?versionid=${encodeURIComponent(first)}`);
    expect(await used()).toBe(1000);
  });

  test("what was deleted and is kept, until its time is over", async () => {
    await keepDeletedFor(7);
    await put("blob", 30_000);
    await send("DELETE", "/box/blob");
    expect(await used()).toBe(30_000);
    await send("PUT", "/box/blob?comp=undelete");
    expect(await used()).toBe(30_000);
    await put("blob", 100);
    expect(await used()).toBe(30_100);
    service.clock.advance(8 * day);
    await service.parts.collector.collect();
    expect(await used()).toBe(100);
  });

  test("expired blobs and deleted containers until the collector has been there", async () => {
    await put("gone", 30_000);
    await send("PUT", "/box/gone?comp=expiry", {
      headers: { "~expiry-option": "RelativeToNow", "~expiry-time": "1000" },
    });
    service.clock.advance(2000);
    await put("gone", 400);
    expect(await used()).toBe(400);
    await stage("staged", "MDE=", 20_000);
    await send("DELETE", "/box?restype=container");
    expect(await used()).toBe(20_400);
    await service.parts.collector.collect();
    expect(await used()).toBe(0);
  });

  test("only what is in the account itself", async () => {
    const { accounts } = service.parts;
    await accounts.create("other", ["a2V5"], { quotaBytes: 500 });
    const other = service.client.with({ account: "other", key: "a2V5" });
    await other.send("PUT", "/box?restype=container");
    await other.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: Buffer.alloc(300) });
    await put("blob", 70);
    expect(await used()).toBe(70);
    expect(accounts.findUsedBytes(accounts.get("other"))).toBe(300);
  });
});

describe("a quota", () => {
  test("is kept to the byte, and what is refused leaves nothing behind", async () => {
    await setQuota(50_000);
    expect(await put("a", 20_000)).toMatchObject({ status: 201 });
    const files = fileSystem.fileNames.length;
    const answer = await put("b", 30_001);
    expect(answer).toMatchObject(refused);
    expect(answer.text).toContain("quota of 50000 bytes");
    expect(fileSystem.fileNames).toHaveLength(files);
    expect(await send("HEAD", "/box/b")).toMatchObject({ status: 404 });
    expect(await put("b", 30_000)).toMatchObject({ status: 201 });
    expect(await put("c", 1)).toMatchObject(refused);
    expect(await put("c", 0)).toMatchObject({ status: 201 });
    await send("DELETE", "/box/a");
    expect(await put("c", 20_000)).toMatchObject({ status: 201 });
    expect(await used()).toBe(50_000);
  });

  test("stands against everything that adds", async () => {
    await put("blob", 600);
    await send("PUT", "/box/log", { headers: { "~blob-type": "AppendBlob" } });
    await send("PUT", "/box/pages", { headers: { "~blob-type": "PageBlob", "~blob-content-length": "512" } });
    await stage("blob", "MDE=", 100);
    await setQuota(1500);
    const source = { "~copy-source": `${service.url}/${testAccount}/box/blob` };
    const page = { "~blob-type": "PageBlob", "~blob-content-length": "1024" };
    const fromSource = { headers: { ...source, "~source-range": "bytes=0-599" } };
    for (const [method, target, request] of [
      ["PUT", "/box/new", { headers: { "~blob-type": "BlockBlob" }, body: Buffer.alloc(600) }],
      ["PUT", "/box/new?comp=block&blockid=MDE%3D", { body: Buffer.alloc(600) }],
      ["PUT", "/box/new?comp=block&blockid=MDE%3D", fromSource],
      ["PUT", "/box/log?comp=appendblock", { body: Buffer.alloc(600) }],
      ["PUT", "/box/log?comp=appendblock", fromSource],
      ["PUT", "/box/new", { headers: page }],
      ["PUT", "/box/pages?comp=properties", { headers: { "~blob-content-length": "1024" } }],
      ["PUT", "/box/new", { headers: source }],
      ["PUT", "/box/blob?comp=snapshot", {}],
    ] as const) {
      expect(await send(method, target, request), target).toMatchObject(refused);
    }
    const many = Array.from({ length: 10 }, () => "MDE=");
    expect(await commit("blob", ...many, ...many)).toMatchObject(refused);
    expect(await used()).toBe(1212);
    expect(await commit("blob", ...many.slice(1))).toMatchObject({ status: 201 });
    expect(await used()).toBe(1412);
  });

  test("lets a blob be replaced by one that is as long", async () => {
    await setQuota(40_000);
    await put("blob", 40_000);
    expect(await put("blob", 40_000)).toMatchObject({ status: 201 });
    await keepDeletedFor(7);
    expect(await put("blob", 40_000)).toMatchObject(refused);
    expect(await used()).toBe(40_000);
    expect(await send("GET", "/box/blob")).toMatchObject({ status: 200 });
  });

  test("lets no more in when uploads come at once", async () => {
    await setQuota(100_000);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => put(`b${index}`, 20_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 507)).toHaveLength(7);
    expect(await used()).toBe(100_000);
    const statuses = await Promise.all(answers.map((_, index) => send("DELETE", `/box/b${index}`)));
    expect(statuses.filter(({ status }) => status === 202)).toHaveLength(5);
    expect(await used()).toBe(0);
    await service.parts.collector.collect();
    // Closing takes files away that were made ahead.
    const { directory } = service;
    await service.stop();
    expect(fileSystem.fileNames).toEqual([]);
    service = await startTestService({ fileSystem, directory });
  });

  test("may be set below what is there: then deleting, reading and headers go on", async () => {
    await put("a", 1000);
    await put("b", 1000);
    await setQuota(500);
    expect(await put("c", 1)).toMatchObject(refused);
    expect(await send("GET", "/box/a")).toMatchObject({ status: 200 });
    expect(await send("PUT", "/box/a?comp=metadata", { headers: { "~meta-a": "1" } })).toMatchObject({ status: 200 });
    expect(await send("DELETE", "/box/a")).toMatchObject({ status: 202 });
    expect(await used()).toBe(1000);
    await keepDeletedFor(7);
    expect(await send("DELETE", "/box/b")).toMatchObject({ status: 202 });
    await setQuota(undefined);
    expect(await used()).toBeUndefined();
    expect(await put("c", 1_000_000)).toMatchObject({ status: 201 });
    await setQuota(2_000_000);
    expect(await used()).toBe(1_001_000);
  });

  test("holds after a restart", async () => {
    await setQuota(50_000);
    await put("a", 30_000);
    const { directory } = service;
    await service.stop();
    service = await startTestService({ fileSystem, directory });
    expect(await used()).toBe(30_000);
    expect(await put("b", 20_001)).toMatchObject(refused);
    expect(await put("b", 20_000)).toMatchObject({ status: 201 });
  });

  test("that was miscounted is found by a check, and setting it counts anew", async () => {
    await put("a", 300);
    await setQuota(1000);
    const database = new EmbeddedDatabase(path.join(service.directory, "objects.db"));
    database.prepare("UPDATE account_quotas SET used_bytes = 299").run([]);
    database.close();
    const { metadata, extents } = service.parts;
    const signal = new AbortController().signal;
    const report = await checkStore({ metadata, extents, marks: false, onProgress: () => undefined, signal });
    expect(report.findings).toMatchObject([{ kind: "wrong count", subject: testAccount }]);
    await setQuota(1000);
    expect(await used()).toBe(300);
  });
});

test("an upload is refused before its body is sent when its length says enough", async () => {
  await setQuota(1_000_000);
  const written = fileSystem.fileNames.length;
  const source = await put("huge", 5_000_000);
  expect(source).toMatchObject({ ...refused, headers: { connection: "close" } });
  expect(fileSystem.fileNames).toHaveLength(written);
});
