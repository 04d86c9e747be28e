import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;
const page = 512;

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

const send = (method: string, target: string, headers: Record<string, string> = {}, body: Buffer | string = "") =>
  service.client.send(method, `/box/${target}`, { headers, body });
const create = (name: string): Promise<TestAnswer> =>
  send("PUT", name, { "~blob-type": "PageBlob", "~blob-content-length": String(4 * page) });
const write = (name: string, at: number, body: Buffer): Promise<TestAnswer> =>
  send("PUT", `${name}?comp=page`, { "~page-write": "update", "~range": `bytes=${at}-${at + body.length - 1}` }, body);
async function snapshot(name: string): Promise<string> {
  return (await send("PUT", `${name}?comp=snapshot`)).headers["x-store-snapshot"]!;
}
const source = (name: string, moment?: string): string =>
  `${service.url}/${testAccount}/box/${name}${moment === undefined ? "" : `?snapshot=${encodeURIComponent(moment)}`}`;
const copy = (name: string, from: string): Promise<TestAnswer> =>
  send("PUT", `${name}?comp=incrementalcopy`, { "~copy-source": from });

describe("an incremental copy", () => {
  test("has the source's state, step by step, each kept as a snapshot", async () => {
    await create("disk");
    const [one, two] = [randomBytes(page), randomBytes(page)];
    await write("disk", 0, one);
    const first = await snapshot("disk");
    await write("disk", page, two);
    const second = await snapshot("disk");
    expect(await copy("backup", source("disk", first))).toMatchObject({
      status: 202,
      headers: { "x-store-copy-status": "success" },
    });
    const { headers } = await send("HEAD", "backup");
    expect(headers).toMatchObject({ "x-store-incremental-copy": "true", "x-store-copy-source": source("disk", first) });
    const kept = headers["x-store-copy-destination-snapshot"]!;
    await copy("backup", source("disk", second));
    const whole = (await send("GET", "backup")).bytes;
    expect(whole.equals(Buffer.concat([one, two, Buffer.alloc(2 * page)]))).toBe(true);
    const before = (await send("GET", `backup?snapshot=${encodeURIComponent(kept)}`)).bytes;
    expect(before.equals(Buffer.concat([one, Buffer.alloc(3 * page)]))).toBe(true);
    const listed = await service.client.send("GET", "/box?restype=container&comp=list&prefix=backup&include=snapshots");
    expect(listed.text.split("<IncrementalCopy>true</IncrementalCopy><DestinationSnapshot>")).toHaveLength(4);
    expect(await write("backup", 0, one)).toMatchObject({
      status: 409,
      code: "OperationNotAllowedOnIncrementalCopyBlob",
    });
    expect(await copy("backup", source("disk", first))).toMatchObject({
      status: 409,
      code: "IncrementalCopyOfEarlierSnapshotNotAllowed",
    });
  });

  test("is made of snapshots of page blobs, into nothing or into a copy of the same", async () => {
    await create("other");
    const moment = await snapshot("other");
    expect(await copy("new", source("other"))).toMatchObject({
      status: 409,
      code: "IncrementalCopySourceMustBeSnapshot",
    });
    await create("ordinary");
    expect(await copy("ordinary", source("other", moment))).toMatchObject({
      status: 409,
      code: "IncrementalCopyBlobMismatch",
    });
    await send("PUT", "text", { "~blob-type": "BlockBlob" }, "text");
    expect(await copy("new", source("text", await snapshot("text")))).toMatchObject({
      status: 409,
      code: "InvalidSourceBlobType",
    });
  });
});

test("differences are told since a snapshot that is named by its address, and in pages", async () => {
  await create("ranges");
  const moment = await snapshot("ranges");
  for (const at of [0, 2, 3]) {
    await write("ranges", at * page, randomBytes(page));
  }
  const byUrl = { "~previous-snapshot-url": source("ranges", moment) };
  const ranges = ({ text }: TestAnswer): readonly string[] =>
    [...text.matchAll(/<Start>(\d+)/gu)].map(([, at = ""]) => at);
  expect(ranges(await send("GET", "ranges?comp=pagelist", byUrl))).toEqual(["0", "1024"]);
  const elsewhere = { "~previous-snapshot-url": source("disk", moment) };
  expect(await send("GET", "ranges?comp=pagelist", elsewhere)).toMatchObject({
    status: 400,
    code: "InvalidHeaderValue",
  });
  const first = await send("GET", "ranges?comp=pagelist&maxresults=1");
  expect(ranges(first)).toEqual(["0"]);
  expect(first.text).toContain("<NextMarker>1024</NextMarker>");
  const rest = await send("GET", "ranges?comp=pagelist&maxresults=1&marker=1024");
  expect(ranges(rest)).toEqual(["1024"]);
  expect(rest.text).not.toContain("NextMarker");
});

test("a source may have to fulfil a condition over its tags", async () => {
  await send("PUT", "tagged", { "~blob-type": "BlockBlob", "~tags": "stage=1" }, "text");
  const conditional = (condition: string): Promise<TestAnswer> =>
    send("PUT", "copied", { "~copy-source": source("tagged"), "~source-if-tags": condition });
  expect(await conditional("stage='2'")).toMatchObject({ status: 412, code: "SourceConditionNotMet" });
  expect(await conditional("stage='1'")).toMatchObject({ status: 202 });
  expect(await conditional("stage=")).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
});
