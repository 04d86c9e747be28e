import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

test.each([
  ["~source-encryption-key", "MDEyMzQ1NjcwMTIzNDU2NzAxMjM0NTY3MDEyMzQ1Njc="],
  ["~default-encryption-scope", "scope"],
])("an upload with %s is refused, not stored in another way", async (name, value) => {
  const headers = { "~blob-type": "BlockBlob", [name]: value };
  const answer = await service.client.send("PUT", "/box/a", { body: "x", headers });
  expect(answer).toMatchObject({ status: 400, code: "UnsupportedHeader" });
  expect(answer.text).toContain(`<HeaderName>${name.replace("~", "x-store-")}</HeaderName>`);
  expect(await service.client.send("HEAD", "/box/a")).toMatchObject({ status: 404 });
});

test("a range comes with the checksum that was asked for", async () => {
  const body = "0123456789HelloWorld";
  await service.client.send("PUT", "/box/b", { body, headers: { "~blob-type": "BlockBlob" } });
  const read = (headers: Record<string, string>): ReturnType<typeof service.client.send> =>
    service.client.send("GET", "/box/b", { headers: { "~range": "bytes=10-19", ...headers } });
  const crc = await read({ "~range-get-content-crc64": "true" });
  expect(crc.headers).toMatchObject({ "x-store-content-crc64": "8R2aIe9T07E=" });
  expect((await read({ "~range-get-content-md5": "true" })).headers["content-md5"]).toBe("aOEJ8PQMpyoV4FzCJ4b45g==");
  const both = await read({ "~range-get-content-md5": "true", "~range-get-content-crc64": "true" });
  expect(both).toMatchObject({ status: 400, code: "BothCrc64AndMd5HeaderPresent" });
});
