import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import {
  type BlobServiceClient as ServiceClient,
  BlobServiceClient,
  type ContainerClient,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ObjectsUnderTest } from "./objects-under-test.ts";

/* What users do with the usual SDK, unmodified, over http with an account key and path-style addresses. */

let server: ObjectsUnderTest;
let service: ServiceClient;
let container: ContainerClient;

beforeAll(async () => {
  server = await ObjectsUnderTest.start();
  service = BlobServiceClient.fromConnectionString(server.credentials.connectionString);
  container = service.getContainerClient("documents");
  await container.create({ metadata: { Foo_Bar: "1", foo2: "2", a_1: "3", a1: "4" } });
});
afterAll(() => server.close());

describe("containers", () => {
  test("have properties and metadata, whose names clients sign in the service's order", async () => {
    const { metadata, etag, leaseState } = await container.getProperties();
    // fetch and Node give header names in lower case; listings keep the case.
    expect(metadata).toEqual({ foo_bar: "1", foo2: "2", a_1: "3", a1: "4" });
    expect(etag).toMatch(/^"0x[0-9A-F]{15,}"$/u);
    expect(leaseState).toBe("available");
    const listed = [];
    for await (const { name, metadata: given } of service.listContainers({ includeMetadata: true })) {
      listed.push([name, given]);
    }
    expect(listed).toEqual([["documents", { Foo_Bar: "1", foo2: "2", a_1: "3", a1: "4" }]]);
  });

  test("exist once", async () => {
    await expect(container.create()).rejects.toMatchObject({ statusCode: 409, code: "ContainerAlreadyExists" });
  });

  test("a deleted one's name is free at once, and empty", async () => {
    const client = service.getContainerClient("short-lived");
    await client.create();
    await client.getBlockBlobClient("blob").upload("x", 1);
    await client.delete();
    await expect(client.getProperties()).rejects.toMatchObject({ statusCode: 404 });
    await client.create();
    await expect(client.getBlockBlobClient("blob").getProperties()).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe("blobs", () => {
  test.each([0, 10, 20_000, 5_000_000])("of %i bytes go up and come down", async (size) => {
    const blob = container.getBlockBlobClient(`sizes/${size}`);
    const body = randomBytes(size);
    await blob.upload(body, size, {
      blobHTTPHeaders: { blobContentType: "text/plain", blobCacheControl: "no-cache", blobContentLanguage: "de" },
      metadata: { Note_a: "ü ok" },
    });
    const answer = await blob.download();
    expect(answer).toMatchObject({ contentLength: size, contentType: "text/plain", cacheControl: "no-cache" });
    expect(answer.metadata).toEqual({ note_a: "ü ok" });
    expect((await buffer(answer.readableStreamBody!)).equals(body)).toBe(true);
  });

  test("are read by range", async () => {
    const blob = container.getBlockBlobClient("ranges");
    const body = randomBytes(300_000);
    await blob.upload(body, body.length);
    for (const [offset, count] of [
      [0, 1],
      [65_535, 2],
      [100_000, 150_000],
      [299_999, 1],
    ] as const) {
      expect((await blob.downloadToBuffer(offset, count)).equals(body.subarray(offset, offset + count))).toBe(true);
    }
    const part = await blob.download(299_990, 100);
    expect(part).toMatchObject({ contentRange: "bytes 299990-299999/300000", contentLength: 10 });
    expect((await buffer(part.readableStreamBody!)).equals(body.subarray(299_990))).toBe(true);
    await expect(blob.download(300_000, 1)).rejects.toMatchObject({ statusCode: 416, code: "InvalidRange" });
  });

  test("keep names of all kinds", async () => {
    const names = ["a b+c", "ünï/日本語/Русский", "100%25", "quote'\"&<>", "~!@#$^&*()_+;,.", "deep/er/and/deeper"];
    for (const name of names) {
      await container.getBlockBlobClient(`names/${name}`).upload(name, Buffer.byteLength(name));
    }
    const listed = [];
    for await (const { name } of container.listBlobsFlat({ prefix: "names/" })) {
      listed.push(name.slice("names/".length));
      expect((await container.getBlockBlobClient(name).downloadToBuffer()).toString()).toBe(listed.at(-1));
    }
    expect(listed).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });

  test("are written under conditions", async () => {
    const blob = container.getBlockBlobClient("conditions");
    const { etag } = await blob.upload("1", 1, { conditions: { ifNoneMatch: "*" } });
    await expect(blob.upload("2", 1, { conditions: { ifNoneMatch: "*" } })).rejects.toMatchObject({
      statusCode: 409,
      code: "BlobAlreadyExists",
    });
    await expect(blob.upload("2", 1, { conditions: { ifMatch: '"0x1"' } })).rejects.toMatchObject({
      statusCode: 412,
      code: "ConditionNotMet",
    });
    const second = await blob.upload("2", 1, { conditions: { ifMatch: etag! } });
    await expect(blob.download(0, undefined, { conditions: { ifNoneMatch: second.etag! } })).rejects.toMatchObject({
      statusCode: 304,
    });
  });

  test("have headers and metadata that can be replaced", async () => {
    const blob = container.getBlockBlobClient("changes");
    const first = await blob.upload("x", 1, { metadata: { a: "1" } });
    const second = await blob.setMetadata({ b: "2" });
    const third = await blob.setHTTPHeaders({ blobContentType: "text/css" });
    expect(new Set([first.etag, second.etag, third.etag]).size).toBe(3);
    expect(await blob.getProperties()).toMatchObject({ metadata: { b: "2" }, contentType: "text/css" });
  });

  test("are gone when they are deleted", async () => {
    const blob = container.getBlockBlobClient("gone");
    await blob.upload("x", 1);
    await blob.delete();
    expect(await blob.exists()).toBe(false);
    await expect(blob.delete()).rejects.toMatchObject({ statusCode: 404, code: "BlobNotFound" });
  });
});

describe("listings", () => {
  test("go page by page, flat and by folder", async () => {
    const names = Array.from({ length: 23 }, (_, index) => `pages/${index % 4}/${String(index).padStart(3, "0")}`);
    await Promise.all(names.map((name) => container.getBlockBlobClient(name).upload("x", 1)));
    const flat = [];
    for await (const page of container.listBlobsFlat({ prefix: "pages/" }).byPage({ maxPageSize: 5 })) {
      expect(page.segment.blobItems.length).toBeLessThanOrEqual(5);
      flat.push(...page.segment.blobItems.map(({ name }) => name));
    }
    expect(flat).toEqual(names.toSorted());
    const folders = [];
    for await (const page of container.listBlobsByHierarchy("/", { prefix: "pages/" }).byPage({ maxPageSize: 1 })) {
      folders.push(...(page.segment.blobPrefixes ?? []).map(({ name }) => name));
    }
    expect(folders).toEqual(["pages/0/", "pages/1/", "pages/2/", "pages/3/"]);
  });
});

test("a wrong key is refused with the code that the SDK shows", async () => {
  const { account, endpoint } = server.credentials;
  const credential = new StorageSharedKeyCredential(account, randomBytes(64).toString("base64"));
  const stranger = new BlobServiceClient(endpoint, credential, { retryOptions: { maxTries: 1 } });
  await expect(stranger.getContainerClient("documents").getProperties()).rejects.toMatchObject({ statusCode: 403 });
});
