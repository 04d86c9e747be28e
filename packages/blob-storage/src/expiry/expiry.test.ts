import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";

let service: TestService;
let fileSystem: UnsyncedFileSystem;
const hour = 3_600_000;

beforeEach(async () => {
  fileSystem = new UnsyncedFileSystem();
  service = await startTestService({ fileSystem });
  await service.client.send("PUT", "/box?restype=container");
  await upload(randomBytes(30_000));
});
afterEach(() => service.close());

const upload = (body: Buffer | string): Promise<TestAnswer> =>
  service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body });
const send = (method: string, more = "", headers: Record<string, string> = {}): Promise<TestAnswer> =>
  service.client.send(method, `/box/blob${more}`, { headers });
const expire = (option: string, time?: string): Promise<TestAnswer> =>
  send("PUT", "?comp=expiry", { "~expiry-option": option, ...(time === undefined ? {} : { "~expiry-time": time }) });
const list = async (): Promise<string> => (await service.client.send("GET", "/box?restype=container&comp=list")).text;

test("a blob whose time has come isn't there, and its bytes go", async () => {
  expect(await expire("RelativeToNow", String(hour))).toMatchObject({ status: 200 });
  const ends = new Date(service.clock.now() + hour).toUTCString();
  expect((await send("HEAD")).headers).toMatchObject({ "x-store-expiry-time": ends });
  expect(await list()).toContain(`<Expiry-Time>${ends}</Expiry-Time>`);
  service.clock.advance(hour - 1);
  expect(await send("GET")).toMatchObject({ status: 200 });
  service.clock.advance(1);
  expect(await send("GET")).toMatchObject({ status: 404, code: "BlobNotFound" });
  expect(await send("HEAD")).toMatchObject({ status: 404 });
  expect(await send("PUT", "?comp=metadata")).toMatchObject({ status: 404 });
  expect(await send("GET", "?comp=tags")).toMatchObject({ status: 404 });
  expect(await send("PUT", "?comp=tier", { "~access-tier": "Cool" })).toMatchObject({ status: 404 });
  expect(await send("DELETE")).toMatchObject({ status: 404 });
  expect(await list()).not.toContain("<Name>");
  await service.parts.collector.collect();
  expect(fileSystem.fileNames).toEqual([]);
});

test("its name is free for another at once", async () => {
  await expire("RelativeToNow", String(hour));
  service.clock.advance(hour);
  const headers = { "~blob-type": "BlockBlob", "if-none-match": "*" };
  expect(await service.client.send("PUT", "/box/blob", { headers, body: "new" })).toMatchObject({ status: 201 });
  service.clock.advance(hour);
  expect(await send("GET")).toMatchObject({ text: "new" });
});

test("the time counts from now, from the making, or by itself, and can be taken back", async () => {
  service.clock.advance(hour);
  await expire("RelativeToCreation", String(2 * hour));
  service.clock.advance(hour - 1000);
  expect(await send("GET")).toMatchObject({ status: 200 });
  await expire("Absolute", new Date(service.clock.now() + 2 * hour).toUTCString());
  service.clock.advance(2 * hour - 1000);
  expect(await send("GET")).toMatchObject({ status: 200 });
  await expire("NeverExpire");
  service.clock.advance(100 * hour);
  const { status, headers } = await send("GET");
  expect(status).toBe(200);
  expect(headers["x-store-expiry-time"]).toBeUndefined();
});

test.each([
  ["no option", undefined, undefined, "MissingRequiredHeader"],
  ["no time", "RelativeToNow", undefined, "MissingRequiredHeader"],
  ["an unknown option", "Sometime", "1", "InvalidHeaderValue"],
  ["a period that is none", "RelativeToNow", "soon", "InvalidHeaderValue"],
  ["a time gone by", "Absolute", "Fri, 20 Nov 2020 12:00:00 GMT", "InvalidHeaderValue"],
])("is refused with %s", async (_what, option, time, code) => {
  const headers = {
    ...(option === undefined ? {} : { "~expiry-option": option }),
    ...(time === undefined ? {} : { "~expiry-time": time }),
  };
  expect(await send("PUT", "?comp=expiry", headers)).toMatchObject({ status: 400, code });
});
