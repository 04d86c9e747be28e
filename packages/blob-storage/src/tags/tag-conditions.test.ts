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

test("what isn't there has no tags, and what is no expression is refused", async () => {
  const upload = { "~blob-type": "BlockBlob" };
  expect(await send("PUT", "/box/new", "stage = '1'", upload, "x")).toMatchObject({ status: 412 });
  expect(await send("PUT", "/box/a", "stage =", upload, "x")).toMatchObject({
    status: 400,
    code: "InvalidHeaderValue",
  });
});
