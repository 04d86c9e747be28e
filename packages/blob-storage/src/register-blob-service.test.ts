import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "./testing/start-test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

// azure-storage 2.10.7 sends such headers.
test.each(["", "text", "a/b/c", "text/plain; ; charset"])("the Content-Type %j is stored as it is", async (type) => {
  const headers = { "~blob-type": "BlockBlob", "content-type": type };
  expect(await service.client.send("PUT", "/box/a", { body: "x", headers })).toMatchObject({ status: 201 });
  const { headers: stored } = await service.client.send("HEAD", "/box/a");
  expect(stored["content-type"]).toBe(type === "" ? "application/octet-stream" : type);
});

// The newest SDK sends the batch of an account so when the account is in the path.
test("a batch at the account's own path may call it a container", async () => {
  const headers = { "content-type": "multipart/mixed; boundary=x" };
  const answer = await service.client.send("POST", "/?restype=container&comp=batch", { body: "--x--", headers });
  expect(answer.status).toBe(202);
  expect(answer.text).toContain("x-store-error-code: InvalidInput\r\n");
});

// @azure/storage-blob 10 sends it so.
test("a proposed lease id without a value is none", async () => {
  const headers = { "~lease-action": "acquire", "~lease-duration": "15", "~proposed-lease-id": "" };
  const answer = await service.client.send("PUT", "/box/a?comp=lease", { headers });
  expect(answer).toMatchObject({ status: 201 });
});
