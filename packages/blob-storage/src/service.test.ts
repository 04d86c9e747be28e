import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "./testing/start-test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

const upload = { "~blob-type": "BlockBlob" };

describe("a blob", () => {
  test.each([0, 1, 5, 16 * 1024, 16 * 1024 + 1, 65_536, 65_537, 3_000_001])("of %i bytes comes back", async (size) => {
    const body = randomBytes(size);
    const put = await service.client.send("PUT", `/box/size-${size}`, { headers: upload, body });
    expect(put.status).toBe(201);
    const md5 = createHash("md5").update(body).digest("base64");
    expect(put.headers).toMatchObject({ "content-md5": md5, "x-store-request-server-encrypted": "true" });
    expect(put.headers["etag"]).toMatch(/^"0x[0-9A-F]{15,}"$/u);
    const get = await service.client.send("GET", `/box/size-${size}`);
    expect(get.status).toBe(200);
    expect(get.bytes.equals(body)).toBe(true);
    expect(get.headers).toMatchObject({ etag: put.headers["etag"], "content-length": String(size) });
  });
});
