import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSas } from "../shared-access-signature/create-sas.ts";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
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

const versioning = (on: boolean): Promise<unknown> =>
  service.parts.accounts.changeSettings(testAccount, { versioning: on });
const upload = (body: string | Buffer): Promise<TestAnswer> =>
  service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body });
const send = (method: string, more = "", headers: Record<string, string> = {}): Promise<TestAnswer> =>
  service.client.send(method, `/box/blob${more}`, { headers });
const versionOf = ({ headers }: TestAnswer): string => headers["x-store-version-id"]!;
const at = (version: string): string => `?versionid=${encodeURIComponent(version)}`;
const list = async (include: string): Promise<readonly string[]> => {
  const { text } = await service.client.send("GET", `/box?restype=container&comp=list&include=${include}`);
  return [...text.matchAll(/<Blob>(.*?)<Properties>/gu)].map(([, head = ""]) =>
    head.replaceAll(/<Name>blob<\/Name>|<\/\w+>/gu, "").replaceAll(/<(\w+)>/gu, "$1 "),
  );
};

describe("with versioning", () => {
  beforeEach(() => versioning(true));

  test("what is written over stays readable under its id", async () => {
    const first = versionOf(await upload("one"));
    const second = versionOf(await upload("two"));
    expect(first < second).toBe(true);
    const current = await send("GET");
    expect(current).toMatchObject({
      text: "two",
      headers: { "x-store-version-id": second, "x-store-is-current-version": "true" },
    });
    const previous = await send("GET", at(first));
    expect(previous).toMatchObject({ text: "one", headers: { "x-store-version-id": first } });
    expect(previous.headers["x-store-is-current-version"]).toBeUndefined();
    expect(await send("GET", at(second))).toMatchObject({ text: "two" });
    expect(await send("GET", at("2020-01-01T00:00:00.0000000Z"))).toMatchObject({ status: 404, code: "BlobNotFound" });
  });

  test("all that makes a new state makes a version; pages, appends, leases and tiers don't", async () => {
    const ids = [versionOf(await upload("one"))];
    ids.push(versionOf(await send("PUT", "?comp=metadata", { "~meta-a": "1" })));
    ids.push(versionOf(await send("PUT", "?comp=snapshot")));
    const block = Buffer.from("1").toString("base64");
    await service.client.send("PUT", `/box/blob?comp=block&blockid=${encodeURIComponent(block)}`, { body: "two" });
    const body = `<BlockList><Latest>${block}</Latest></BlockList>`;
    ids.push(versionOf(await service.client.send("PUT", "/box/blob?comp=blocklist", { body })));
    ids.push(versionOf(await send("PUT", "", { "~copy-source": `${service.url}/${testAccount}/box/blob` })));
    expect(new Set(ids).size).toBe(5);
    expect(ids.toSorted()).toEqual(ids);
    await send("PUT", "?comp=tier", { "~access-tier": "Cool" });
    expect(versionOf(await send("HEAD"))).toBe(ids.at(-1));
    expect((await list("versions")).map((line) => line.split(" ")[1])).toEqual(
      ids.map((id) => expect.stringContaining(id)),
    );
    expect(await list("")).toEqual([""]);
    const snapshots = await list("snapshots");
    expect(snapshots).toHaveLength(2);
    expect(snapshots[0]).toContain("Snapshot");
  });

  test("a listing shows a blob that only has versions when it is asked to", async () => {
    const orphans = async (include: string): Promise<readonly string[]> => {
      const { text } = await service.client.send("GET", `/box?restype=container&comp=list&include=${include}`);
      return [...text.matchAll(/<Blob>(.*?)<\/Blob>/gu)].map(([, blob = ""]) =>
        [
          /<Name>(\w+)/u.exec(blob)?.[1],
          /<Content-Length>(\d+)/u.exec(blob)?.[1],
          /<HasVersionsOnly>true/u.test(blob),
        ].join(" "),
      );
    };
    await upload("1");
    await upload("22");
    const third = versionOf(await upload("333"));
    await service.client.send("PUT", "/box/other", { headers: { "~blob-type": "BlockBlob" }, body: "4444" });
    expect(await orphans("deletedwithversions")).toEqual(["blob 3 false", "other 4 false"]);
    await send("DELETE");
    expect(await orphans("")).toEqual(["other 4 false"]);
    expect(await orphans("deletedwithversions")).toEqual(["blob 3 true", "other 4 false"]);
    const all = ["blob 1 false", "blob 2 false", "blob 3 true", "other 4 false"];
    expect(await orphans("versions,deletedwithversions")).toEqual(all);
    await send("DELETE", at(third));
    expect(await orphans("deletedwithversions")).toEqual(["blob 2 true", "other 4 false"]);
    await upload("55555");
    expect(await orphans("deletedwithversions")).toEqual(["blob 5 false", "other 4 false"]);
  });

  test("the metadata of a version stay as they were", async () => {
    const first = versionOf(await upload("one"));
    await send("PUT", "?comp=metadata", { "~meta-a": "1" });
    expect((await send("HEAD", at(first))).headers["x-store-meta-a"]).toBeUndefined();
    expect((await send("HEAD")).headers["x-store-meta-a"]).toBe("1");
  });

  test("appended bytes and written pages do not reach into versions", async () => {
    const append = (body: string): Promise<TestAnswer> =>
      service.client.send("PUT", "/box/blob?comp=appendblock", { body });
    await send("PUT", "", { "~blob-type": "AppendBlob" });
    await append("one");
    const before = versionOf(await send("HEAD"));
    await send("PUT", "?comp=metadata", { "~meta-a": "1" });
    await append("two");
    expect(await send("GET")).toMatchObject({ text: "onetwo" });
    expect(await send("GET", at(before))).toMatchObject({ text: "one" });
  });

  test("a deleted blob is a version, and comes back by copying that over it", async () => {
    const first = versionOf(await upload("one"));
    expect(await send("DELETE")).toMatchObject({ status: 202, headers: { "x-store-delete-type-permanent": "false" } });
    expect(await send("GET")).toMatchObject({ status: 404 });
    expect(await list("")).toEqual([]);
    expect(await list("versions")).toEqual([`VersionId ${first}`]);
    const source = `${service.url}/${testAccount}/box/blob${at(first)}`;
    const copied = await send("PUT", "", { "~copy-source": source });
    expect(copied).toMatchObject({ status: 202 });
    expect(await send("GET")).toMatchObject({ text: "one", headers: { "x-store-copy-source": source } });
    expect(await list("versions")).toEqual([
      `VersionId ${first}`,
      `VersionId ${versionOf(copied)}IsCurrentVersion true`,
    ]);
  });

  test("a version is deleted for good by its id, and its bytes go", async () => {
    const first = versionOf(await upload(randomBytes(30_000)));
    await upload("two");
    expect(await send("DELETE", at(first))).toMatchObject({
      status: 202,
      headers: { "x-store-delete-type-permanent": "true" },
    });
    expect(await send("GET", at(first))).toMatchObject({ status: 404 });
    await service.parts.collector.collect();
    expect(fileSystem.fileNames).toEqual([]);
    expect(await send("GET")).toMatchObject({ text: "two" });
  });

  test("the current one is not deleted by its id", async () => {
    await upload("one");
    const current = versionOf(await upload("two"));
    expect(await send("DELETE", at(current))).toMatchObject({ status: 403, code: "OperationNotAllowedOnRootBlob" });
    expect(await send("GET")).toMatchObject({ text: "two", headers: { "x-store-version-id": current } });
  });

  test("deleting a version needs its own letter of a signature", async () => {
    const first = versionOf(await upload("one"));
    await upload("two");
    const account = service.parts.accounts.get(testAccount);
    const remove = (permissions: string): Promise<TestAnswer> => {
      const sas = createSas(account, { container: "box", permissions, expiryMs: service.clock.now() + 60_000 });
      return service.client.send("DELETE", `/box/blob${at(first)}&${sas}`, { anonymous: true });
    };
    expect(await remove("d")).toMatchObject({ status: 403, code: "AuthorizationPermissionMismatch" });
    expect(await remove("x")).toMatchObject({ status: 202 });
  });

  test("versions have tags and tiers of their own", async () => {
    const first = versionOf(await upload("one"));
    await upload("two");
    const body = "<Tags><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tags>";
    expect(await service.client.send("PUT", `/box/blob${at(first)}&comp=tags`, { body })).toMatchObject({
      status: 204,
    });
    expect((await send("HEAD", at(first))).headers).toMatchObject({ "x-store-tag-count": "1" });
    expect((await send("HEAD")).headers["x-store-tag-count"]).toBeUndefined();
    await send("PUT", `${at(first)}&comp=tier`, { "~access-tier": "Archive" });
    expect(await send("GET", at(first))).toMatchObject({ status: 409, code: "BlobArchived" });
    expect(await send("GET")).toMatchObject({ status: 200 });
  });

  test("soft delete keeps deleted versions for a while", async () => {
    const policy = "<DeleteRetentionPolicy><Enabled>true</Enabled><Days>7</Days></DeleteRetentionPolicy>";
    const body = `<StorageServiceProperties>${policy}</StorageServiceProperties>`;
    await service.client.send("PUT", "/?restype=service&comp=properties", { body });
    const first = versionOf(await upload("one"));
    await upload("two");
    await send("DELETE", at(first));
    expect(await send("GET", at(first))).toMatchObject({ status: 404 });
    expect(await list("versions,deleted")).toHaveLength(2);
    await send("PUT", "?comp=undelete");
    expect(await send("GET", at(first))).toMatchObject({ text: "one" });
  });

  test("what was there before it was turned on becomes a version like any other", async () => {
    await versioning(false);
    await upload("old");
    await versioning(true);
    expect((await send("HEAD")).headers["x-store-version-id"]).toBeUndefined();
    await upload("new");
    const [oldest = ""] = await list("versions");
    expect(await send("GET", at(oldest.replace("VersionId ", "")))).toMatchObject({ text: "old" });
  });

  test("a version that is no time, or one beside a snapshot, is refused; so is one where none is taken", async () => {
    await upload("one");
    const refused = { status: 400, code: "InvalidQueryParameterValue" };
    expect(await send("GET", "?versionid=newest")).toMatchObject(refused);
    const moment = "2026-01-01T00:00:00.0000000Z";
    expect(await send("GET", `?versionid=${moment}&snapshot=${moment}`)).toMatchObject(refused);
    expect(await send("PUT", `?versionid=${moment}&comp=metadata`)).toMatchObject({ code: "InvalidOperation" });
  });
});

test("without versioning nothing has a version", async () => {
  const uploaded = await upload("one");
  expect(uploaded.headers["x-store-version-id"]).toBeUndefined();
  await upload("two");
  expect(await list("versions")).toEqual([""]);
  await versioning(true);
  const version = versionOf(await upload("three"));
  await versioning(false);
  await upload("four");
  expect(await send("GET", at(version))).toMatchObject({ status: 404 });
});
