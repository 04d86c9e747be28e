import { createHmac, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSas } from "../shared-access-signature/create-sas.ts";
import { startTestService, testAccount, testKey, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer, type TestClient } from "../testing/test-client.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";

let service: TestService;
let stranger: TestClient;
const fileSystem = new UnsyncedFileSystem();

beforeAll(async () => {
  service = await startTestService({ fileSystem });
  await service.client.send("PUT", "/box?restype=container");
  const other = await service.parts.accounts.create("other");
  stranger = service.client.with({ account: "other", key: other.keys[0].reveal() });
  await stranger.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

const upload = (name: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  service.client.send("PUT", `/box/${name}`, { headers: { "~blob-type": "BlockBlob", ...headers }, body });
const source = (name: string): string => `${service.url}/${testAccount}/box/${name}`;
const copy = (
  name: string,
  from: string,
  headers: Record<string, string> = {},
  client = service.client,
): Promise<TestAnswer> => client.send("PUT", `/box/${name}`, { headers: { "~copy-source": from, ...headers } });
const read = (name: string): Promise<TestAnswer> => service.client.send("GET", `/box/${name}`);

describe("a copy", () => {
  test("has the bytes, headers and metadata of its source, and takes no room", async () => {
    const body = randomBytes(100_000);
    await upload("large", body, { "~meta-a": "1", "content-type": "text/plain" });
    const files = fileSystem.fileNames.length;
    const answer = await copy("copied", source("large"));
    expect(answer).toMatchObject({ status: 202, headers: { "x-store-copy-status": "success" } });
    expect(fileSystem.fileNames).toHaveLength(files);
    const copied = await read("copied");
    expect(copied.bytes.equals(body)).toBe(true);
    expect(copied.headers).toMatchObject({
      "content-type": "text/plain",
      "x-store-meta-a": "1",
      "x-store-copy-id": answer.headers["x-store-copy-id"],
      "x-store-copy-source": source("large"),
      "x-store-copy-progress": "100000/100000",
    });
    await service.client.send("DELETE", "/box/large");
    await service.parts.collector.collect();
    expect((await read("copied")).bytes.equals(body)).toBe(true);
  });

  test("may have metadata of its own, and may lie over its source", async () => {
    await upload("self", "text", { "~meta-a": "1" });
    expect(await copy("self", source("self"), { "~meta-b": "2" })).toMatchObject({ status: 202 });
    const answer = await read("self");
    expect(answer.text).toBe("text");
    expect(answer.headers).toMatchObject({ "x-store-meta-b": "2" });
    expect(answer.headers["x-store-meta-a"]).toBeUndefined();
  });

  test("of a snapshot brings back what was", async () => {
    await upload("promoted", "before");
    const snapshot = await service.client.send("PUT", "/box/promoted?comp=snapshot");
    await upload("promoted", "after");
    const moment = snapshot.headers["x-store-snapshot"]!;
    for (const from of [moment, encodeURIComponent(moment)].map((text) => `${source("promoted")}?snapshot=${text}`)) {
      await copy("promoted", from);
      expect(await read("promoted")).toMatchObject({ text: "before", headers: { "x-store-copy-source": from } });
    }
  });

  test("of an append blob grows by itself", async () => {
    await service.client.send("PUT", "/box/log", { headers: { "~blob-type": "AppendBlob" } });
    const append = (name: string, body: string): Promise<TestAnswer> =>
      service.client.send("PUT", `/box/${name}?comp=appendblock`, { body });
    await append("log", "one,");
    await copy("log-copy", source("log"));
    await append("log", "two");
    await append("log-copy", "three");
    expect(await read("log")).toMatchObject({ text: "one,two" });
    expect(await read("log-copy")).toMatchObject({ text: "one,three", headers: { "x-store-blob-type": "AppendBlob" } });
  });

  test("by URL answers the checksum; an upload by URL is no copy", async () => {
    const { headers } = await upload("sums", "text");
    const synchronous = await copy("sums-copy", source("sums"), { "~requires-sync": "true" });
    expect(synchronous).toMatchObject({ status: 202, headers: { "content-md5": headers["content-md5"] } });
    const put = await copy("sums-put", source("sums"), { "~blob-type": "BlockBlob", "~blob-content-type": "text/css" });
    expect(put).toMatchObject({ status: 201, headers: { "content-md5": headers["content-md5"] } });
    const answer = await read("sums-put");
    expect(answer).toMatchObject({ text: "text", headers: { "content-type": "text/css" } });
    expect(answer.headers["x-store-copy-id"]).toBeUndefined();
  });

  test("is judged by conditions of both ends", async () => {
    const { headers } = await upload("judged", "1");
    await upload("judged-target", "2");
    const wrong = '"0x1"';
    expect(await copy("judged-target", source("judged"), { "~source-if-match": wrong })).toMatchObject({
      status: 412,
      code: "SourceConditionNotMet",
    });
    expect(await copy("judged-target", source("judged"), { "if-match": wrong })).toMatchObject({
      status: 412,
      code: "ConditionNotMet",
    });
    expect(await copy("judged-target", source("judged"), { "if-none-match": "*" })).toMatchObject({
      status: 409,
      code: "BlobAlreadyExists",
    });
    expect(await copy("judged-target", source("judged"), { "~source-if-match": headers["etag"]! })).toMatchObject({
      status: 202,
    });
  });

  test("has nothing to abort", async () => {
    await upload("abort", "1");
    const { headers } = await copy("aborted", source("abort"));
    const abort = (id: string): Promise<TestAnswer> =>
      service.client.send("PUT", `/box/aborted?comp=copy&copyid=${id}`, { headers: { "~copy-action": "abort" } });
    expect(await abort(headers["x-store-copy-id"]!)).toMatchObject({ status: 409, code: "NoPendingCopyOperation" });
    expect(await abort("another")).toMatchObject({ status: 409, code: "CopyIdMismatch" });
  });
});

describe("parts from elsewhere", () => {
  test("become blocks, appended blocks and pages", async () => {
    const body = randomBytes(50_000);
    await upload("parts", body);
    const put = (target: string, headers: Record<string, string>): Promise<TestAnswer> =>
      service.client.send("PUT", `/box/${target}`, { headers: { "~copy-source": source("parts"), ...headers } });
    const id = Buffer.from("1").toString("base64");
    const block = await put(`blocks?comp=block&blockid=${encodeURIComponent(id)}`, {
      "~source-range": "bytes=100-40099",
    });
    expect(block).toMatchObject({ status: 201 });
    await service.client.send("PUT", "/box/blocks?comp=blocklist", {
      body: `<BlockList><Latest>${id}</Latest></BlockList>`,
    });
    expect((await read("blocks")).bytes.equals(body.subarray(100, 40_100))).toBe(true);

    await service.client.send("PUT", "/box/appended", { headers: { "~blob-type": "AppendBlob" } });
    expect(await put("appended?comp=appendblock", { "~source-range": "bytes=0-9" })).toMatchObject({ status: 201 });
    expect((await read("appended")).bytes.equals(body.subarray(0, 10))).toBe(true);

    await service.client.send("PUT", "/box/pages", {
      headers: { "~blob-type": "PageBlob", "~blob-content-length": "1024" },
    });
    const pages = { "~page-write": "update", "~range": "bytes=512-1023", "~source-range": "bytes=7-518" };
    expect(await put("pages?comp=page", pages)).toMatchObject({ status: 201 });
    expect((await read("pages")).bytes.equals(Buffer.concat([Buffer.alloc(512), body.subarray(7, 519)]))).toBe(true);
    expect(await put("pages?comp=page", { ...pages, "~source-range": "bytes=0-9" })).toMatchObject({ status: 400 });
    expect(await put("appended?comp=appendblock", { "~source-range": "bytes=0-60000" })).toMatchObject({ status: 416 });
  });
});

describe("a source", () => {
  const se = "2026-11-21T00:00:00Z";
  const sas = (name: string): string => {
    const parameters: Record<string, string> = { sp: "r", se, sv: "2020-12-06", sr: "b" };
    const lines = [
      "r",
      "",
      se,
      `/blob/${testAccount}/box/${name}`,
      "",
      "",
      "",
      "2020-12-06",
      "b",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
    ];
    const sig = createHmac("sha256", Buffer.from(testKey, "base64")).update(lines.join("\n")).digest("base64");
    return new URLSearchParams({ ...parameters, sig }).toString();
  };

  test("asked for with a signature takes what that covers, and by URL what its own allows", async () => {
    await upload("covered", "text");
    await service.client.send("PUT", "/uncovered?restype=container");
    await service.client.send("PUT", "/uncovered/blob", { headers: { "~blob-type": "BlockBlob" }, body: "text" });
    const account = service.parts.accounts.get(testAccount);
    const expiryMs = service.clock.now() + 3_600_000;
    const sas = (permissions: string): string => createSas(account, { container: "box", permissions, expiryMs });
    const byUrl = (name: string, permissions: string, from: string): Promise<TestAnswer> =>
      service.client.send("PUT", `/box/${name}?${sas(permissions)}`, {
        anonymous: true,
        headers: { "x-ms-copy-source": from },
      });
    expect(await byUrl("new-1", "c", source("covered"))).toMatchObject({ status: 202 });
    expect(await byUrl("new-2", "c", `${source("covered")}?${sas("c")}`)).toMatchObject({ status: 202 });
    expect(await byUrl("new-1", "c", source("covered"))).toMatchObject({
      status: 403,
      code: "UnauthorizedBlobOverwrite",
    });
    const elsewhere = `${service.url}/${testAccount}/uncovered/blob`;
    expect(await byUrl("new-3", "rcw", elsewhere)).toMatchObject({ status: 403, code: "CannotVerifyCopySource" });
    const refused = await copy("new-4", `${source("covered")}?${sas("w")}`);
    expect(refused).toMatchObject({ status: 403, code: "CannotVerifyCopySource" });
    expect(refused.text).toContain("<Message>This request is not authorized to perform this operation using this perm");
    expect(refused.text).toContain("<CopySourceErrorCode>AuthorizationPermissionMismatch</CopySourceErrorCode>");
    expect(refused.headers).toMatchObject({ "x-store-copy-source-status-code": "403" });
  });

  test("has tags of its own or those of its source, not both, and no tier that its kind lacks", async () => {
    await upload("tagged", "text", { "~tags": "a=1" });
    const both = { "~requires-sync": "true", "~copy-source-tag-option": "COPY", "~tags": "b=2" };
    expect(await copy("both", source("tagged"), both)).toMatchObject({
      status: 400,
      code: "BothUserTagsAndSourceTagsCopyPresentException",
    });
    expect(await copy("neither", source("tagged"), { "~copy-source-tag-option": "MERGE" })).toMatchObject({
      status: 400,
      code: "InvalidHeaderValue",
    });
    const page = { "~blob-type": "PageBlob", "~blob-content-length": "512" };
    await service.client.send("PUT", "/box/pages", { headers: page });
    expect(await copy("tiered-pages", source("pages"), { "~access-tier": "P10" })).toMatchObject({
      status: 400,
      code: "BlobAccessTierNotSupportedForAccountType",
    });
  });

  test("of an archived blob is made inside its account only", async () => {
    await upload("archived", "text", { "~access-tier": "Archive" });
    const account = service.parts.accounts.get(testAccount);
    const sas = createSas(account, { container: "box", permissions: "r", expiryMs: service.clock.now() + 60_000 });
    expect(await copy("from-archive", source("archived"))).toMatchObject({ status: 409, code: "BlobArchived" });
    const from = `${source("archived")}?${sas}`;
    expect(await copy("from-archive", from, { "~access-tier": "Hot" }, stranger)).toMatchObject({
      status: 409,
      code: "CannotVerifyCopySource",
    });
  });

  test("in another account needs a signature or public access", async () => {
    await upload("private", "text");
    expect(await copy("stolen", source("private"), {}, stranger)).toMatchObject({
      status: 403,
      code: "CannotVerifyCopySource",
    });
    const answer = await copy("given", `${source("private")}?${sas("private")}`, {}, stranger);
    expect(answer).toMatchObject({ status: 202 });
    const given = await stranger.send("GET", "/box/given");
    expect(given.text).toBe("text");
    expect(given.headers["x-store-copy-source"]).toBe(source("private"));
    expect(await copy("wrong", `${source("private")}?${sas("another")}`, {}, stranger)).toMatchObject({ status: 403 });
  });

  const unreadable: readonly (readonly [string, () => string, number, string])[] = [
    ["that isn't", () => source("nothing"), 404, "CannotVerifyCopySource"],
    ["on another host", () => "https://example.com/box/blob", 404, "CannotVerifyCopySource"],
    [
      "at another port of this machine",
      () => "http://127.0.0.1:1/devstoreaccount1/box/blob",
      404,
      "CannotVerifyCopySource",
    ],
    ["of the machine's own metadata", () => "http://169.254.169.254/latest/meta-data", 404, "CannotVerifyCopySource"],
    ["that is a file", () => "file:///etc/passwd", 404, "CannotVerifyCopySource"],
    ["that is no URL", () => "box/blob", 400, "InvalidHeaderValue"],
  ];
  test.each(unreadable)("%s is refused", async (_what, from, status, code) => {
    expect(await copy("refused", from())).toMatchObject({ status, code });
  });
});

describe("tags", () => {
  const tags = (body: string): Promise<TestAnswer> =>
    service.client.send("PUT", "/box/tagged?comp=tags", { body: `<Tags><TagSet>${body}</TagSet></Tags>` });
  const tag = (name: string, value: string): string => `<Tag><Key>${name}</Key><Value>${value}</Value></Tag>`;

  test("come with the upload or by themselves, and change no ETag", async () => {
    const { headers } = await upload("tagged", "x", { "~tags": "kind=a%20b&year=2026" });
    const get = (): Promise<TestAnswer> => service.client.send("GET", "/box/tagged?comp=tags");
    expect((await get()).text).toContain(`<Tags><TagSet>${tag("kind", "a b")}${tag("year", "2026")}</TagSet></Tags>`);
    expect(await tags(tag("kind", "c"))).toMatchObject({ status: 204 });
    expect((await get()).text).toContain(`<TagSet>${tag("kind", "c")}</TagSet>`);
    expect((await read("tagged")).headers).toMatchObject({ etag: headers["etag"], "x-store-tag-count": "1" });
    expect(await tags("")).toMatchObject({ status: 204 });
    expect((await read("tagged")).headers["x-store-tag-count"]).toBeUndefined();
  });

  test.each([
    ["eleven of them", Array.from({ length: 11 }, (_, index) => tag(`t${index}`, "1")).join(""), "TagsTooLarge"],
    ["a name that is too long", tag("x".repeat(129), "1"), "TagsTooLarge"],
    ["a value that is too long", tag("x", "1".repeat(257)), "TagsTooLarge"],
    ["no name", tag("", "1"), "EmptyTagName"],
    ["a name twice", tag("a", "1") + tag("a", "2"), "DuplicateTagNames"],
    ["other letters", tag("a", "ü"), "InvalidTag"],
    ["no tag at all", "<Other/>", "InvalidXmlDocument"],
  ] as const)("are refused: %s", async (_what, body, code) => {
    await upload("tagged", "x");
    expect(await tags(body)).toMatchObject({ status: 400, code });
  });
});

describe("tiers", () => {
  const setTier = (name: string, tier: string): Promise<TestAnswer> =>
    service.client.send("PUT", `/box/${name}?comp=tier`, { headers: { "~access-tier": tier } });

  test("are inferred until they are set; the archive is not read", async () => {
    const { headers } = await upload("tiered", "x");
    expect((await read("tiered")).headers).toMatchObject({
      "x-store-access-tier": "Hot",
      "x-store-access-tier-inferred": "true",
    });
    expect(await setTier("tiered", "cool")).toMatchObject({ status: 200 });
    const cool = await read("tiered");
    expect(cool.headers).toMatchObject({ etag: headers["etag"], "x-store-access-tier": "Cool" });
    expect(cool.headers["x-store-access-tier-inferred"]).toBe("false");
    await setTier("tiered", "Archive");
    expect(await read("tiered")).toMatchObject({ status: 409, code: "BlobArchived" });
    expect(await copy("tiered-copy", source("tiered"))).toMatchObject({ status: 409, code: "BlobArchived" });
    expect(await copy("tiered-copy", source("tiered"), { "~access-tier": "Hot" })).toMatchObject({ status: 202 });
    expect(await setTier("tiered", "Hot")).toMatchObject({ status: 202 });
    expect(await read("tiered")).toMatchObject({ text: "x" });
  });

  test("are those of the blob's type", async () => {
    await upload("tiered", "x");
    expect(await setTier("tiered", "P10")).toMatchObject({ status: 400, code: "InvalidBlobTier" });
    expect(await setTier("tiered", "Warm")).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
    expect(await setTier("log", "Cool")).toMatchObject({ status: 409, code: "InvalidBlobType" });
  });
});
