import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
  const headers = { "~blob-type": "BlockBlob", "~tags": "stage=2&owner=ada" };
  await service.client.send("PUT", "/box/a", { body: "x", headers });
});
afterAll(() => service.close());

const send = (method: string, target: string, condition: string, more: object = {}, body = ""): Promise<TestAnswer> =>
  service.client.send(method, target, { body, headers: { "~if-tags": condition, ...more } });

test.each([
  ["Get Blob", "GET", "/box/a", {}, 200],
  ["Get Blob Properties", "HEAD", "/box/a", {}, 200],
  ["Set Blob Metadata", "PUT", "/box/a?comp=metadata", {}, 200],
  ["Set Blob Tier", "PUT", "/box/a?comp=tier", { "~access-tier": "Cool" }, 200],
  ["Get Blob Tags", "GET", "/box/a?comp=tags", {}, 200],
] as const)("%s goes by the blob's tags", async (_what, method, target, more, status) => {
  expect(await send(method, target, "stage = '1' OR owner <> 'ada'", more)).toMatchObject({
    status: 412,
    code: "ConditionNotMet",
  });
  expect(await send(method, target, "stage = '1' OR owner = 'ada'", more)).toMatchObject({ status });
});

test("tags are read and set under the blob's own conditions", async () => {
  const tags = (method: string, headers: Record<string, string>): Promise<TestAnswer> =>
    service.client.send(method, "/box/a?comp=tags", {
      headers,
      ...(method === "PUT"
        ? { body: "<Tags><TagSet><Tag><Key>stage</Key><Value>2</Value></Tag></TagSet></Tags>" }
        : {}),
    });
  const { etag = "", "last-modified": modified = "" } = (await service.client.send("HEAD", "/box/a")).headers;
  const later = new Date(Date.parse(modified) + 60_000).toUTCString();
  expect(await tags("GET", { "~blob-if-match": etag })).toMatchObject({ status: 200 });
  expect(await tags("GET", { "~blob-if-match": '"0x1"' })).toMatchObject({ status: 412, code: "ConditionNotMet" });
  expect(await tags("GET", { "~blob-if-none-match": etag })).toMatchObject({ status: 304 });
  expect(await tags("PUT", { "~blob-if-unmodified-since": modified })).toMatchObject({ status: 204 });
  expect(await tags("PUT", { "~blob-if-modified-since": later })).toMatchObject({ status: 412 });
  expect(await tags("PUT", { "~blob-if-match": etag, "~blob-if-none-match": etag })).toMatchObject({
    status: 400,
    code: "MultipleConditionHeadersNotSupported",
  });
});

test("what isn't there has no tags, and what is no expression is refused", async () => {
  const upload = { "~blob-type": "BlockBlob" };
  expect(await send("PUT", "/box/new", "stage = '1'", upload, "x")).toMatchObject({ status: 412 });
  expect(await send("PUT", "/box/a", "stage =", upload, "x")).toMatchObject({
    status: 400,
    code: "InvalidHeaderValue",
  });
});
