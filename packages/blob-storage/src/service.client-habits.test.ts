import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "./testing/start-test-service.ts";
import { type TestAnswer, type TestRequest } from "./testing/test-client.ts";

/* What unmodified clients and their test suites rely on besides the documents (decisions/0105, 0106). */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

const send = (method: string, target: string, request: TestRequest = {}): Promise<TestAnswer> =>
  service.client.send(method, target, request);
const upload = (name: string, body: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  send("PUT", `/box/${name}`, { headers: { "~blob-type": "BlockBlob", ...headers }, body });
const create = (name: string, type: "PageBlob" | "AppendBlob", headers: Record<string, string> = {}) =>
  send("PUT", `/box/${name}`, { headers: { "~blob-type": type, ...headers } });
const names = ({ text }: TestAnswer): readonly string[] =>
  [...text.matchAll(/<Name>([^<]*)<\/Name>/gu)].map(([, name = ""]) => name);
const nextMarker = ({ text }: TestAnswer): string => /<NextMarker>([^<]*)</u.exec(text)?.[1] ?? "";
const id = (text: string): string => encodeURIComponent(Buffer.from(text).toString("base64"));

describe("markers", () => {
  const list = (more: string): Promise<TestAnswer> => send("GET", `/marked?restype=container&comp=list${more}`);
  beforeAll(async () => {
    await send("PUT", "/marked?restype=container");
    for (const name of ["!odd", "10", "9", "a", "b%20c", "dir/1", "dir/2", "z"]) {
      await send("PUT", `/marked/${name}`, { headers: { "~blob-type": "BlockBlob" }, body: "x" });
    }
  });

  test("are the last name of a page, and any name is one", async () => {
    const page = await list("&maxresults=2&marker=!odd");
    expect(names(page)).toEqual(["10", "9"]);
    expect(nextMarker(page)).toBe("9");
    expect(names(await list("&marker=9"))).toEqual(["a", "b c", "dir/1", "dir/2", "z"]);
    expect(names(await list("&marker=between"))).toEqual(["dir/1", "dir/2", "z"]);
  });

  test.each([1, 2, 3])("lead through all names in pages of %d, whatever they look like", async (size) => {
    for (const delimiter of ["", "&delimiter=/"]) {
      const seen: string[] = [];
      let marker = "";
      do {
        const page = await list(`${delimiter}&maxresults=${size}&marker=${encodeURIComponent(marker)}`);
        seen.push(...names(page));
        marker = nextMarker(page);
      } while (marker !== "");
      const directory = delimiter === "" ? ["dir/1", "dir/2"] : ["dir/"];
      expect(seen).toEqual(["!odd", "10", "9", "a", "b c", ...directory, "z"]);
    }
  });

  test("behind names that XML escapes, or whose ends its readers cut off, lead on as well", async () => {
    for (const name of ["a%26%3Cb%3E", "a%26%3Cb%3E%20", "c"]) {
      await upload(`escaped/${name}`, "x");
    }
    const seen: string[] = [];
    for (let marker = "", page = 0; page < 3; page += 1) {
      const query = `prefix=escaped/&maxresults=1&marker=${encodeURIComponent(marker)}`;
      const answer = await send("GET", `/box?restype=container&comp=list&${query}`);
      seen.push(...names(answer));
      marker = nextMarker(answer).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").trim();
    }
    expect(seen).toEqual(["escaped/a&amp;&lt;b&gt;", "escaped/a&amp;&lt;b&gt; ", "escaped/c"]);
  });

  test("are not needed to begin somewhere", async () => {
    expect(names(await list("&startfrom=b"))).toEqual(["b c", "dir/1", "dir/2", "z"]);
    expect(names(await list("&prefix=dir/&startfrom=a"))).toEqual(["dir/1", "dir/2"]);
    expect(names(await list("&startfrom=b&delimiter=/"))).toEqual(["b c", "dir/", "z"]);
  });

  test("and entries of one kind only are shown when asked for", async () => {
    expect(names(await list("&delimiter=/&showonly=directories"))).toEqual(["dir/"]);
    expect(names(await list("&delimiter=/&showonly=files&startfrom=b"))).toEqual(["b c", "z"]);
    expect(names(await list("&showonly=deleted"))).toEqual([]);
    expect(await list("&showonly=some")).toMatchObject({ status: 400, code: "InvalidQueryParameterValue" });
  });

  test("of containers are names too", async () => {
    expect(names(await send("GET", "/?comp=list&marker=box"))).toEqual(["marked"]);
    expect(nextMarker(await send("GET", "/?comp=list&maxresults=1"))).toBe("box");
  });
});

test("a listing has what was asked for before it, though nobody waited for the answer", async () => {
  await send("PUT", "/hasty?restype=container");
  const creating = [0, 1, 2].map((index) =>
    send("PUT", `/hasty/${index}`, { headers: { "~blob-type": "AppendBlob" } }),
  );
  // The requests are on their way when the first of them has been read; the listing comes right behind.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const listing = await send("GET", "/hasty?restype=container&comp=list");
  await Promise.all(creating);
  expect(names(listing)).toEqual(["0", "1", "2"]);
});

describe("searches by tags say where they are wrong", () => {
  const find = (where: string): Promise<TestAnswer> => send("GET", `/?comp=blobs&where=${encodeURIComponent(where)}`);
  const ten = Array.from({ length: 10 }, (_, index) => `k${index}='v'`).join(" and ");
  test.each([
    ["'key 1'='v'", "at or near character position 1: unexpected 'key 1'"],
    ["key1='v' and @container11='1'", "at or near character position 14: unsupported parameter '@container11'"],
    [`${"k".repeat(129)}='v'`, "at or near character position 1: tag must be between 1 and 128 characters in length"],
    [`k='${"v".repeat(257)}'`, "position 3: tag value must be between 0 and 256 characters in length"],
    ["k='v @'", "not permitted in tag name or value"],
    ["k", "at or near character position 2: unexpected end"],
    [`${ten} and more='v'`, "Error parsing query: there can be at most 10 unique tags in a query"],
  ])("%s", async (where, message) => {
    const answer = await find(where);
    expect(answer).toMatchObject({ status: 400, code: "InvalidQueryParameterValue" });
    expect(answer.text).toMatch(/<Message>Error parsing query/u);
    expect(answer.text.replaceAll("&apos;", "'")).toContain(message);
  });

  test("ten tags and a container are not too many", async () => {
    expect(await find(`${ten} and @container='box'`)).toMatchObject({ status: 200 });
  });
});

test("a condition over tags may be long, and may compare with what no tag can be", async () => {
  await upload("tagged", "x", { "~tags": "tag=1" });
  const read = (condition: string): Promise<TestAnswer> =>
    send("GET", "/box/tagged?comp=tags", { headers: { "~if-tags": condition } });
  const long = Array.from({ length: 700 }, (_, index) => `tag<>'v${index}'`).join(" and ");
  expect(await read(long)).toMatchObject({ status: 200 });
  expect(await read(`tag<>'${"v".repeat(300)}'`)).toMatchObject({ status: 200 });
  expect(await read(`${"k".repeat(200)}<>'v'`)).toMatchObject({ status: 412, code: "ConditionNotMet" });
  expect(await send("GET", "/box/tagged?comp=blocklist", { headers: { "~if-tags": "tag='2'" } })).toMatchObject({
    status: 412,
  });
});

describe("reads", () => {
  test("may name several entity tags", async () => {
    await upload("several", "text");
    const { etag } = (await send("HEAD", "/box/several")).headers;
    const read = (ifMatch: string): Promise<TestAnswer> =>
      send("GET", "/box/several", { headers: { "if-match": ifMatch } });
    expect(await read(`"0x1", ${etag}`)).toMatchObject({ status: 200 });
    expect(await read("*,abc")).toMatchObject({ status: 200 });
    expect(await read('"0x1","0x2"')).toMatchObject({ status: 412 });
  });

  test("tell the stored MD5 of whole blobs in both headers", async () => {
    await upload("summed", "text");
    const md5 = createHash("md5").update("text").digest("base64");
    const { headers } = await send("GET", "/box/summed");
    expect(headers).toMatchObject({ "content-md5": md5, "x-store-blob-content-md5": md5 });
  });

  test("tell of every append blob whether it is sealed", async () => {
    await create("sealing", "AppendBlob");
    expect((await send("HEAD", "/box/sealing")).headers).toMatchObject({ "x-store-blob-sealed": "false" });
    await send("PUT", "/box/sealing?comp=seal");
    expect((await send("HEAD", "/box/sealing")).headers).toMatchObject({ "x-store-blob-sealed": "true" });
    const appended = await send("PUT", "/box/sealing?comp=appendblock", { body: "x" });
    expect(appended).toMatchObject({ status: 409, code: "BlobIsSealed" });
    expect(appended.text).toContain("<Message>The specified blob is sealed, and its contents can't be modified unless");
  });

  test("of a page blob that begin where it ends find nothing; further on they fail", async () => {
    await create("short", "PageBlob", { "~blob-content-length": "512" });
    const read = (range: string): Promise<TestAnswer> => send("GET", "/box/short", { headers: { "~range": range } });
    const atEnd = await read("bytes=512-1023");
    expect(atEnd).toMatchObject({ status: 206, text: "", headers: { "content-range": "bytes */512" } });
    expect(await read("bytes=513-1023")).toMatchObject({ status: 416, code: "InvalidRange" });
    await create("none", "PageBlob", { "~blob-content-length": "0" });
    expect(await send("GET", "/box/none", { headers: { "~range": "bytes=0-2" } })).toMatchObject({ status: 416 });
  });
});

describe("content headers", () => {
  test("keep any MD5 that nothing is compared with", async () => {
    await upload("headers", "x");
    const odd = { "~blob-content-md5": "AQIDBA==" };
    expect(await send("PUT", "/box/headers?comp=properties", { headers: odd })).toMatchObject({ status: 200 });
    expect((await send("HEAD", "/box/headers")).headers).toMatchObject({ "content-md5": "AQIDBA==" });
    expect(await create("appended", "AppendBlob", odd)).toMatchObject({ status: 201 });
  });

  test("of an upload may not hold an MD5 that is none", async () => {
    for (const odd of ["AQIDBA==", "no-md5"]) {
      const refusal = await upload("refused", "x", { "~blob-content-md5": odd });
      expect(refusal).toMatchObject({ status: 400, code: "InvalidMd5" });
    }
  });

  test("a block list keeps the time of the blob's making", async () => {
    const stage = (): Promise<TestAnswer> => send("PUT", `/box/kept?comp=block&blockid=${id("1")}`, { body: "x" });
    const body = `<BlockList><Latest>${decodeURIComponent(id("1"))}</Latest></BlockList>`;
    await stage();
    await send("PUT", "/box/kept?comp=blocklist", { body });
    const created = (await send("HEAD", "/box/kept")).headers["x-store-creation-time"];
    service.clock.advance(60_000);
    await stage();
    await send("PUT", "/box/kept?comp=blocklist", { body });
    expect((await send("HEAD", "/box/kept")).headers["x-store-creation-time"]).toBe(created);
  });

  test("block ids are as long as their bytes, not their letters", async () => {
    await send("PUT", `/box/ids?comp=block&blockid=${id("1")}`, { body: "x" });
    expect(await send("PUT", `/box/ids?comp=block&blockid=${id("123")}`, { body: "x" })).toMatchObject({
      status: 400,
      code: "InvalidBlobOrBlock",
    });
  });
});

test("lease ids are GUIDs in any form, or short texts; what is left of a break is rounded", async () => {
  await upload("leased", "x");
  const lease = (action: string, headers: Record<string, string>): Promise<TestAnswer> =>
    send("PUT", "/box/leased?comp=lease", { headers: { "~lease-action": action, ...headers } });
  await lease("acquire", { "~lease-duration": "15", "~proposed-lease-id": "ca761232ed4211cebacd00aa0057b223" });
  const withDashes = { "~lease-id": "CA761232-ED42-11CE-BACD-00AA0057B223" };
  expect(await send("PUT", "/box/leased?comp=metadata", { headers: withDashes })).toMatchObject({ status: 200 });
  await lease("release", { "~lease-id": "ca761232ed4211cebacd00aa0057b223" });
  expect(await lease("acquire", { "~lease-duration": "15", "~proposed-lease-id": "abcdefg" })).toMatchObject({
    status: 201,
  });
  await lease("break", { "~lease-break-period": "3" });
  service.clock.advance(2_600);
  const last = await lease("break", { "~lease-break-period": "3" });
  expect(last.headers).toMatchObject({ "x-store-lease-time": "0" });
  expect((await send("HEAD", "/box/leased")).headers).toMatchObject({ "x-store-lease-state": "breaking" });
});

describe("addresses", () => {
  test("the secondary behind a host is a copy that nobody writes to", async () => {
    const host = `${testAccount}-secondary.localhost`;
    expect(await send("PUT", "/second?restype=container", { host })).toMatchObject({
      status: 403,
      code: "InsufficientAccountPermissions",
    });
  });

  test("names of two segments are not taken for a blob where a container is meant", async () => {
    const answer = await fetch(`${service.url}/nobodyhere/box?restype=container`, { method: "PUT" });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-ms-error-code")).toBe("ResourceNotFound");
  });
});
