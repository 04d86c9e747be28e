import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";

let service: TestService;
let fileSystem: UnsyncedFileSystem;

beforeEach(async () => {
  fileSystem = new UnsyncedFileSystem();
  service = await startTestService({ fileSystem });
  await service.client.send("PUT", "/box?restype=container");
});
afterEach(() => service.close());

const day = 24 * 3_600_000;
const put = (name: string, body: string | Buffer): Promise<TestAnswer> =>
  service.client.send("PUT", `/box/${name}`, { headers: { "~blob-type": "BlockBlob" }, body });
const read = (target: string): Promise<TestAnswer> => service.client.send("GET", `/box/${target}`);
const remove = (target: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  service.client.send("DELETE", `/box/${target}`, { headers });
const undelete = (name: string): Promise<TestAnswer> => service.client.send("PUT", `/box/${name}?comp=undelete`);
const list = async (include: string): Promise<string> =>
  (await service.client.send("GET", `/box?restype=container&comp=list&include=${include}`)).text;

async function keepFor(days: number): Promise<void> {
  const body = `<StorageServiceProperties><DeleteRetentionPolicy><Enabled>true</Enabled><Days>${days}</Days></DeleteRetentionPolicy></StorageServiceProperties>`;
  await service.client.send("PUT", "/?restype=service&comp=properties", { body });
}

describe("soft delete", () => {
  test("hides what is deleted and brings it back with its snapshots", async () => {
    await keepFor(7);
    const body = randomBytes(30_000);
    await put("blob", body);
    await service.client.send("PUT", "/box/blob?comp=snapshot");
    const deleted = await remove("blob", { "~delete-snapshots": "include" });
    expect(deleted).toMatchObject({ status: 202, headers: { "x-store-delete-type-permanent": "false" } });
    expect(await read("blob")).toMatchObject({ status: 404, code: "BlobNotFound" });
    expect(await remove("blob")).toMatchObject({ status: 404 });
    expect(await list("")).not.toContain("<Name>blob</Name>");
    const listed = await list("deleted,snapshots");
    expect(listed.split("<Deleted>true</Deleted>")).toHaveLength(3);
    expect(listed).toContain("<RemainingRetentionDays>7</RemainingRetentionDays>");
    expect(await undelete("blob")).toMatchObject({ status: 200 });
    expect((await read("blob")).bytes.equals(body)).toBe(true);
    expect((await list("snapshots")).split("<Blob>")).toHaveLength(3);
  });

  test("keeps what is overwritten as a deleted snapshot", async () => {
    await keepFor(7);
    await put("blob", "first");
    await put("blob", "second");
    expect(await read("blob")).toMatchObject({ text: "second" });
    const text = await list("deleted,snapshots");
    const moment = /<Deleted>true<\/Deleted><Snapshot>([^<]+)</u.exec(text)![1]!;
    expect(await read(`blob?snapshot=${encodeURIComponent(moment)}`)).toMatchObject({ status: 404 });
    await undelete("blob");
    expect(await read(`blob?snapshot=${encodeURIComponent(moment)}`)).toMatchObject({ text: "first" });
    expect(await read("blob")).toMatchObject({ text: "second" });
  });

  test("lets a new blob take a deleted one's name", async () => {
    await keepFor(7);
    await put("blob", "old");
    await remove("blob");
    expect(await put("blob", "new")).toMatchObject({ status: 201 });
    expect(await read("blob")).toMatchObject({ text: "new" });
    await undelete("blob");
    expect(await read("blob")).toMatchObject({ text: "new" });
    expect((await list("snapshots")).split("<Blob>")).toHaveLength(3);
  });

  test("ends after its days, with the bytes", async () => {
    await keepFor(2);
    await put("blob", randomBytes(30_000));
    await remove("blob");
    service.clock.advance(2 * day - 1);
    await service.parts.collector.collect();
    expect(fileSystem.fileNames).toHaveLength(1);
    service.clock.advance(1);
    await service.parts.collector.collect();
    expect(fileSystem.fileNames).toEqual([]);
    expect(await undelete("blob")).toMatchObject({ status: 404, code: "BlobNotFound" });
  });

  test("is cut short for a snapshot where the account allows it", async () => {
    const allow = (allowed: boolean): Promise<TestAnswer> =>
      service.client.send("PUT", "/?restype=service&comp=properties", {
        body: `<StorageServiceProperties><DeleteRetentionPolicy><Enabled>true</Enabled><Days>7</Days><AllowPermanentDelete>${allowed}</AllowPermanentDelete></DeleteRetentionPolicy></StorageServiceProperties>`,
      });
    await allow(false);
    await put("blob", randomBytes(30_000));
    const { headers } = await service.client.send("PUT", "/box/blob?comp=snapshot");
    const snapshot = `blob?snapshot=${encodeURIComponent(headers["x-store-snapshot"]!)}`;
    await remove("blob", { "~delete-snapshots": "include" });
    expect(await remove(`${snapshot}&deletetype=permanent`)).toMatchObject({ status: 400, code: "InvalidOperation" });
    await allow(true);
    expect(await remove("blob?deletetype=permanent")).toMatchObject({ code: "InvalidQueryParameterValue" });
    expect(await remove(`${snapshot}&deletetype=Permanent`)).toMatchObject({
      status: 202,
      headers: { "x-store-delete-type-permanent": "true" },
    });
    expect((await list("deleted,snapshots")).split("<Blob>")).toHaveLength(2);
    await undelete("blob");
    expect(await read(snapshot)).toMatchObject({ status: 404 });
    expect(await read("blob")).toMatchObject({ status: 200 });
  });

  test("is off until it is asked for", async () => {
    await put("blob", "x");
    expect(await remove("blob")).toMatchObject({ headers: { "x-store-delete-type-permanent": "true" } });
    expect(await undelete("blob")).toMatchObject({ status: 404 });
  });
});
