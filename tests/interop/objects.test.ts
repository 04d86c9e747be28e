import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credentials, System } from "../system/system.ts";
import { OperationMatrix } from "./operation-matrix.ts";

let system: System;
let objects: Credentials["objects"];

beforeAll(async () => {
  system = await System.start({ only: ["objects"] });
  objects = (await system.credentials()).objects;
});
afterAll(async () => {
  console.log(`Clients of the object store, and what they did:\n\n${matrix}`);
  await system?.stop();
});

const matrix = new OperationMatrix();

/** Runs a client's program; every operation has to have come out as it should. */
async function expectOperations(
  client: string,
  program: string,
  input: object,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  const found = await system.runClient<Record<string, unknown>>(program, input);
  matrix.record(client, found, expected);
  expect(found).toEqual(expected);
}

/** Whether a text stands in the store's files as it is. */
async function isStored(text: string): Promise<boolean> {
  const stored = path.join(system.dataDirectory, "objects");
  const files = await readdir(stored, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name))),
  );
  return contents.some((content) => content.includes(text));
}

describe("clients of the object store, unmodified", () => {
  test("@azure/storage-blob, newest", async () => {
    await expectOperations("storage-blob newest", "storage-blob-12.mjs", objects, {
      blocks: true,
      stream: true,
      blockList: [1_048_576, 1_048_576, 902_848],
      range: [206, 10, "bytes 5-14/9437201"],
      snapshot: "one",
      copy: "success",
      copied: ["one", { foo_bar: "1", foo2: "2", mixed: "Case" }],
      syncCopy: "success",
      snapshotsPresent: "409 SnapshotsPresent",
      leased: "412 LeaseIdMissing",
      condition: "409 BlobAlreadyExists",
      blobSas: [200, "mine", "text/x-mine"],
      blobSasWrite: "403 AuthorizationPermissionMismatch",
      accountSas: ["copy.txt", "copy2.txt", "dir/big ü.bin", "dir/streamed"],
      private: 401,
      public: 200,
      tags: [{ stage: "a b", owner: "ada" }, ["copy.txt", { stage: "a b" }]],
      tagCondition: "412 ConditionNotMet",
      tierBatch: [3, "Cool"],
      deleteBatch: ["202", "202", "202", "404 BlobNotFound"],
      append: "one two",
      // The client counts from the first to the last byte of a range, not how many there are.
      pages: [
        [512, 511],
        [2048, 1023],
      ],
      disk: true,
      query: ['{"Name":"Paris","People":2102650}\n', []],
      cors: ["https://a.example"],
      corsAnswer: "https://a.example",
      account: "StorageV2",
      pagesListed: [
        ["dir/", "copy.txt", "copy2.txt"],
        ["disk", "log"],
      ],
      gone: "404 ContainerNotFound",
    });
  });

  test("@azure/storage-blob, newest, with keys of its own, which the disk knows nothing of", async () => {
    const keyedText = "interoperating-with-a-key-of-the-clients-own.";
    const openText = "interoperating-without-one.";
    const endpoint = objects.endpoint.replace(/^http:\/\/[^/]+/u, system.secureUrl("objects"));
    await expectOperations(
      "storage-blob newest",
      "storage-blob-keys.mjs",
      { ...objects, endpoint, text: keyedText, openText },
      {
        upload: [true, true],
        properties: [true, true],
        exists: true,
        refused: [
          "409 BlobUsesCustomerSpecifiedEncryption",
          "409 BlobCustomerSpecifiedEncryptionMismatch",
          "409 BlobUsesCustomerSpecifiedEncryption",
        ],
        blocks: true,
        snapshot: true,
        append: true,
        pages: true,
        rotated: true,
        listed: [
          ["disk", true],
          ["large", true],
          ["log", true],
          ["open", false],
          ["rotated", false],
          ["small", true],
        ],
      },
    );
    expect(await isStored(openText)).toBe(true);
    expect(await isStored(keyedText)).toBe(false);
    const checked = await system.trefoil<{ readonly problems: number }>("objects", "check");
    expect(checked).toMatchObject({ problems: 0 });
  });

  test("@azure/storage-blob, newest, with encryption scopes, which an administrator shuts", async () => {
    const text = "interoperating-with-a-scope.";
    const account = objects.account;
    await system.trefoil("account", "scope", "create", account, "tenant-a");
    await system.trefoil("account", "scope", "create", account, "tenant-b");
    await expectOperations(
      "storage-blob newest",
      "storage-blob-scopes.mjs",
      { ...objects, text },
      {
        container: ["tenant-a", true],
        usual: "tenant-a",
        refused: "403 RequestForbiddenByContainerEncryptionPolicy",
        read: true,
        named: true,
        changes: ["409 BlobUsesCustomerSpecifiedEncryption", "409 BlobCustomerSpecifiedEncryptionMismatch", "none"],
        copied: true,
        signed: "tenant-b",
        listed: [
          ["usual", "tenant-a", true],
          ["copied", "tenant-b", true],
          ["named", "tenant-a", false],
          ["signed", "tenant-b", false],
        ],
      },
    );
    expect(await isStored(text)).toBe(false);
    await system.trefoil("account", "scope", "disable", account, "tenant-b");
    const { scopes } = await system.trefoil<{ scopes: unknown }>("account", "scope", "enable", account, "tenant-b");
    expect(scopes).toMatchObject([
      { name: "tenant-a", state: "enabled" },
      { name: "tenant-b", state: "enabled" },
    ]);
  });

  test("@azure/storage-blob, newest, with bodies in segments", async () => {
    await expectOperations("storage-blob newest", "storage-blob-checksums.mjs", objects, {
      upload: "XSM/1.0; properties=crc64",
      download: [true, true],
      range: true,
      blocks: true,
      empty: 0,
      append: "one two",
      pages: true,
    });
  });

  test("@azure/storage-blob 12.0.0, with the second key", async () => {
    await expectOperations("storage-blob 12.0.0", "storage-blob-12.0.mjs", objects, {
      stream: true,
      range: true,
      metadata: { foo_bar: "1", a1: "2", a_1: "3" },
      snapshot: "hello",
      copy: "changed",
      leased: "412 LeaseIdMissing",
      sas: "changed",
      listed: ["prefix:a/", "blob:copy", "blob:small"],
      gone: "404 BlobNotFound",
    });
  });

  test("@azure/storage-blob 10.5.0", async () => {
    await expectOperations("storage-blob 10.5.0", "storage-blob-10.mjs", objects, {
      stream: true,
      range: true,
      metadata: { foo_bar: "1", foo2: "2" },
      snapshot: "hello",
      copy: "success",
      leased: "412 LeaseIdMissing",
      listed: ["copy", "small"],
      gone: "404 BlobNotFound",
    });
  });

  test("azure-storage 2.10.7", async () => {
    await expectOperations("azure-storage 2.10.7", "azure-storage.mjs", objects, {
      stream: true,
      range: true,
      properties: ["text/plain", "de", { foo_bar: "1", foo2: "2" }],
      snapshot: "hello",
      copy: ["success", "changed"],
      leased: "412 LeaseIdMissing",
      sas: "changed",
      append: "one two",
      listed: ["copy", "dir/big", "log", "small ü"],
      service: "1.0",
      withSnapshot: "409 SnapshotsPresent",
      exists: false,
    });
  });

  test("unstorage", async () => {
    const made = { ...objects, container: "unstorage" };
    await system.runClient("create-container.mjs", made);
    await expectOperations("unstorage", "unstorage.mjs", made, {
      item: { x: 1 },
      raw: "00ff01",
      has: [true, false],
      keys: ["a:b", "raw"],
      modified: true,
      left: [],
    });
  });
});
