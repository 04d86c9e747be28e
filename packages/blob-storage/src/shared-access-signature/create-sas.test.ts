import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { createSas, type SasRequest } from "./create-sas.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
  const headers = { "~blob-type": "BlockBlob" };
  await service.client.send("PUT", "/box/a%20b", { body: "x", headers });
  await service.client.send("PUT", "/box/other", { body: "x", headers });
});
afterAll(() => service.close());

const status = async (request: Omit<SasRequest, "expiryMs">, target: string, method = "GET"): Promise<number> => {
  const account = service.parts.accounts.get(testAccount);
  const sas = createSas(account, { ...request, expiryMs: service.clock.now() + 60_000 });
  const separator = target.includes("?") ? "&" : "?";
  return (await service.client.send(method, `${target}${separator}${sas}`, { anonymous: true })).status;
};

test("what is made opens what it says, and nothing else", async () => {
  const blob = { container: "box", blob: "a b", permissions: "r" };
  expect(await status(blob, "/box/a%20b")).toBe(200);
  expect(await status(blob, "/box/other")).toBe(403);
  expect(await status(blob, "/box/a%20b", "DELETE")).toBe(403);
  const container = { container: "box", permissions: "rl" };
  expect(await status(container, "/box/other")).toBe(200);
  expect(await status(container, "/box?restype=container&comp=list")).toBe(200);
  expect(await status({ permissions: "l" }, "/?comp=list")).toBe(200);
  expect(await status({ permissions: "l", httpsOnly: true }, "/?comp=list")).toBe(403);
  expect(await status({ permissions: "l", ip: "127.0.0.1" }, "/?comp=list")).toBe(200);
  expect(await status({ permissions: "l", ip: "192.0.2.1-192.0.2.9" }, "/?comp=list")).toBe(403);
});

test("it ends", async () => {
  const account = service.parts.accounts.get(testAccount);
  const sas = createSas(account, { permissions: "l", expiryMs: service.clock.now() });
  expect(await service.client.send("GET", `/?comp=list&${sas}`, { anonymous: true })).toMatchObject({ status: 403 });
});

test("letters that no signature has are refused", () => {
  const account = service.parts.accounts.get(testAccount);
  expect(() => createSas(account, { permissions: "q!", expiryMs: 1 })).toThrow(/input/iu);
});
