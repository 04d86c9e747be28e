import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestService, type TestService } from "./testing/start-test-service.ts";
import { UnsyncedFileSystem } from "./testing/unsynced-file-system.ts";

let service: TestService;
let fileSystem: UnsyncedFileSystem;

beforeEach(async () => {
  fileSystem = new UnsyncedFileSystem();
  service = await startTestService({ fileSystem });
  await service.client.send("PUT", "/box?restype=container");
});
afterEach(() => service.close());

test("uploads to one blob at once: one of them is the blob, and nothing else is left", async () => {
  const { client } = service;
  const bodies = Array.from({ length: 12 }, (_, index) => randomBytes(index % 2 === 0 ? 200_000 : 3_000));
  const answers = await Promise.all(
    bodies.map((body) => client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
  const { bytes, headers } = await client.send("GET", "/box/blob");
  const last = answers.findIndex((answer) => answer.headers["etag"] === headers["etag"]);
  expect(bytes.equals(bodies[last]!)).toBe(true);
  await service.parts.collector.collect();
  expect(fileSystem.fileNames).toHaveLength(bytes.length === 200_000 ? 1 : 0);
});

test("blocks of one blob that are staged at once are all there", async () => {
  const { client } = service;
  const blocks = Array.from({ length: 16 }, () => randomBytes(60_000));
  const id = (index: number): string => Buffer.from(`block ${String(index).padStart(3, "0")}`).toString("base64");
  await Promise.all(
    blocks.map((body, index) =>
      client.send("PUT", `/box/blocks?comp=block&blockid=${encodeURIComponent(id(index))}`, { body }),
    ),
  );
  const list = `<BlockList>${blocks.map((_, index) => `<Latest>${id(index)}</Latest>`).join("")}</BlockList>`;
  expect((await client.send("PUT", "/box/blocks?comp=blocklist", { body: list })).status).toBe(201);
  expect((await client.send("GET", "/box/blocks")).bytes.equals(Buffer.concat(blocks))).toBe(true);
});
