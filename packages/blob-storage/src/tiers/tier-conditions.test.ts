import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

test("a blob is deleted by when its tier was changed", async () => {
  const send = (method: string, query: string, headers: Record<string, string>): Promise<TestAnswer> =>
    service.client.send(method, `/box/a${query}`, { headers });
  const minute = 60_000;
  const at = (ms: number): string => new Date(service.clock.now() + ms).toUTCString();
  await send("PUT", "", { "~blob-type": "BlockBlob" });
  service.clock.advance(10 * minute);
  expect(await send("DELETE", "", { "~access-tier-if-modified-since": at(-5 * minute) })).toMatchObject({
    status: 412,
    code: "ConditionNotMet",
  });
  await send("PUT", "?comp=tier", { "~access-tier": "Cool" });
  expect(await send("DELETE", "", { "~access-tier-if-unmodified-since": at(-5 * minute) })).toMatchObject({
    status: 412,
  });
  expect(await send("DELETE", "", { "~access-tier-if-unmodified-since": "soon" })).toMatchObject({
    status: 400,
    code: "InvalidHeaderValue",
  });
  expect(await send("DELETE", "", { "~access-tier-if-modified-since": at(-5 * minute) })).toMatchObject({
    status: 202,
  });
});
