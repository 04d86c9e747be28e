import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
  await service.client.send("PUT", "/box/a", { body: "x", headers: { "~blob-type": "BlockBlob" } });
});
afterAll(() => service.close());

test.each([
  ["a file system's creation", "PUT", "/box?resource=filesystem", {}, 400],
  ["a hierarchy probe", "HEAD", "/box/a?action=getAccessControl", {}, 400],
  ["a path's creation", "PUT", "/box/dir?resource=directory", {}, 400],
  ["a table", "GET", "/tables?restype=container", { dataserviceversion: "3.0" }, 501],
] as const)("%s gets a plain refusal", async (_what, method, target, headers, status) => {
  expect(await service.client.send(method, target, { headers })).toMatchObject({ status });
});

test.each([
  ["queue", 501, "APINotImplemented"],
  ["table", 501, "APINotImplemented"],
  ["dfs", 400, "UnsupportedQueryParameter"],
] as const)("the host name of the %s service", async (label, status, code) => {
  const answer = await service.client.send("GET", "/?comp=list", { host: `${testAccount}.${label}.localhost` });
  expect(answer).toMatchObject({ status, code });
});

test("nobody learns anything without credentials", async () => {
  const answer = await service.client.send("GET", "/box/a?action=getStatus", { anonymous: true });
  expect(answer).toMatchObject({ status: 401 });
});
