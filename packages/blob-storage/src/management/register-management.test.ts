import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTestService, testAccount, testKey, type TestService } from "../testing/start-test-service.ts";
import { type AccountDescription, registerManagement } from "./register-management.ts";

let service: TestService;
let app: FastifyInstance;
const administrator = { isCalling: true };
const reloadSecrets = vi.fn<() => Promise<void>>(() => Promise.resolve());
const onAccountCreated = vi.fn<() => Promise<void>>(() => Promise.resolve());

beforeAll(async () => {
  service = await startTestService();
  app = fastify();
  const { parts, clock } = service;
  registerManagement(app, {
    ...parts,
    clock,
    isAdministrator: () => administrator.isCalling,
    endpoint: () => "http://localhost:10000",
    onAccountCreated,
    reloadSecrets,
  });
});
beforeEach(() => {
  administrator.isCalling = true;
});
afterAll(async () => {
  await app.close();
  await service.close();
});

interface ManagementAnswer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<ManagementAnswer> {
  const answer = await app.inject({ method, url: `/management${path}`, ...(body === undefined ? {} : { body }) });
  return { status: answer.statusCode, body: answer.json() };
}

test("nothing is for anybody but the administrator", async () => {
  administrator.isCalling = false;
  for (const [method, path] of [
    ["GET", "/accounts"],
    ["GET", `/accounts/${testAccount}`],
    ["POST", "/accounts"],
    ["POST", `/accounts/${testAccount}/keys/1`],
    ["PUT", `/accounts/${testAccount}/settings`],
    ["PUT", `/accounts/${testAccount}/quota`],
    ["GET", `/accounts/${testAccount}/roles`],
    ["POST", `/accounts/${testAccount}/sas`],
    ["GET", `/accounts/${testAccount}/scopes`],
    ["POST", `/accounts/${testAccount}/scopes`],
    ["POST", "/sealing-key/reseal"],
    ["POST", "/collect"],
    ["POST", "/check"],
  ] as const) {
    const answer = await ask(method, path, method === "GET" ? undefined : { name: "stranger", versioning: true });
    expect(answer.status, `${method} ${path}`).toBe(401);
    expect(JSON.stringify(answer.body)).not.toContain(testKey);
  }
  expect(service.parts.accounts.find("stranger")).toBeUndefined();
});

test("an account is made with the keys that were brought, and certificates follow", async () => {
  const made = await ask("POST", "/accounts", { name: "made", keys: ["Zmlyc3Q="] });
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: "made",
      endpoint: "http://localhost:10000/made",
      versioning: false,
      publicAccess: true,
      connectionString:
        "DefaultEndpointsProtocol=http;AccountName=made;AccountKey=Zmlyc3Q=;BlobEndpoint=http://localhost:10000/made;",
    },
  });
  expect((made.body as AccountDescription).keys).toHaveLength(2);
  expect(onAccountCreated).toHaveBeenCalledOnce();
  const again = await ask("POST", "/accounts", { name: "made" });
  expect(again).toEqual({ status: 409, body: { error: { message: "there is an account of this name already" } } });
  expect(await ask("POST", "/accounts", { name: "No" })).toMatchObject({ status: 400 });
  expect(await ask("POST", "/accounts", { name: "keyed", keys: ["a", "b", "c"] })).toMatchObject({ status: 400 });
});

test("keys are shown for one account, not in the list", async () => {
  expect(await ask("GET", `/accounts/${testAccount}`)).toMatchObject({ body: { keys: [testKey, expect.any(String)] } });
  const list = await ask("GET", "/accounts");
  expect(list).toMatchObject({
    body: { accounts: expect.arrayContaining([expect.objectContaining({ name: testAccount })]) },
  });
  expect(JSON.stringify(list.body)).not.toContain(testKey);
  expect(await ask("GET", "/accounts/nobody")).toMatchObject({ status: 404 });
});

test("a key is replaced by one that was brought or drawn", async () => {
  await ask("POST", "/accounts", { name: "rotated", keys: ["Zmlyc3Q=", "c2Vjb25k"] });
  const brought = await ask("POST", "/accounts/rotated/keys/2", { key: "YnJvdWdodA==" });
  expect(brought).toMatchObject({ status: 200, body: { keys: ["Zmlyc3Q=", "YnJvdWdodA=="] } });
  const drawn = (await ask("POST", "/accounts/rotated/keys/1", {})).body as AccountDescription;
  expect(drawn.keys?.[0]).toMatch(/^[\w+/]{86}==$/u);
  expect(await ask("POST", "/accounts/rotated/keys/3", {})).toMatchObject({ status: 400 });
});

test("settings change one by one and stay", async () => {
  await ask("POST", "/accounts", { name: "settled" });
  const set = (body: object): Promise<ManagementAnswer> => ask("PUT", "/accounts/settled/settings", body);
  expect(await set({ versioning: true })).toMatchObject({ body: { versioning: true, publicAccess: true } });
  expect(await set({ publicAccess: false })).toMatchObject({ body: { versioning: true, publicAccess: false } });
  expect(await ask("GET", "/accounts/settled")).toMatchObject({ body: { versioning: true, publicAccess: false } });
  for (const wrong of [{}, { versioning: "yes" }, { versioning: true, quota: 1 }, [true]]) {
    expect(await set(wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
  }
  expect(await ask("PUT", "/accounts/nobody/settings", { versioning: true })).toMatchObject({ status: 404 });
});

test("a quota is given with the account or later, and shown with what is used", async () => {
  const made = await ask("POST", "/accounts", { name: "limited", keys: ["a2V5"], quotaBytes: 1000 });
  expect(made).toMatchObject({ status: 201, body: { quotaBytes: 1000, usedBytes: 0 } });
  const client = service.client.with({ account: "limited", key: "a2V5" });
  await client.send("PUT", "/box?restype=container");
  await client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: "0123456789" });
  expect(await ask("GET", "/accounts/limited")).toMatchObject({ body: { quotaBytes: 1000, usedBytes: 10 } });
  const set = (body: object): Promise<ManagementAnswer> => ask("PUT", "/accounts/limited/quota", body);
  expect(await set({ quotaBytes: null })).toMatchObject({ body: { quotaBytes: null, usedBytes: null } });
  expect(await set({ quotaBytes: 2000 })).toMatchObject({ body: { quotaBytes: 2000, usedBytes: 10 } });
  expect(await ask("GET", "/accounts")).toMatchObject({
    body: { accounts: expect.arrayContaining([expect.objectContaining({ name: "limited", quotaBytes: 2000 })]) },
  });
  for (const wrong of [{}, { quotaBytes: -1 }, { quotaBytes: 1.5 }, { quotaBytes: "1g" }, [1]]) {
    expect(await set(wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
  }
  expect(await ask("POST", "/accounts", { name: "wrong", quotaBytes: -1 })).toMatchObject({ status: 400 });
  expect(await ask("PUT", "/accounts/nobody/quota", { quotaBytes: 1 })).toMatchObject({ status: 404 });
});

test("encryption scopes are made, listed, disabled and enabled again; their keys are shown to nobody", async () => {
  const path = `/accounts/${testAccount}/scopes`;
  const scope = { name: "tenant-a", createdAt: "2026-11-20T12:00:00.000Z" };
  expect(await ask("POST", path, { name: "tenant-a" })).toEqual({
    status: 201,
    body: { scopes: [{ ...scope, state: "enabled" }] },
  });
  expect(await ask("PUT", `${path}/tenant-a`, { enabled: false })).toEqual({
    status: 200,
    body: { scopes: [{ ...scope, state: "disabled" }] },
  });
  await ask("PUT", `${path}/tenant-a`, { enabled: true });
  expect(await ask("GET", path)).toEqual({ status: 200, body: { scopes: [{ ...scope, state: "enabled" }] } });
  expect(await ask("POST", path, { name: "tenant-a" })).toMatchObject({ status: 409 });
  expect(await ask("POST", path, { name: "Tenant" })).toMatchObject({ status: 400 });
  expect(await ask("PUT", `${path}/tenant-a`, {})).toMatchObject({ status: 400 });
  expect(await ask("PUT", `${path}/tenant-b`, { enabled: true })).toMatchObject({ status: 404 });
  expect(await ask("POST", "/accounts/nobody/scopes", { name: "tenant-a" })).toMatchObject({ status: 404 });
});

test("keys of accounts and scopes are sealed anew with the key that the data folder has now", async () => {
  reloadSecrets.mockClear();
  await service.parts.accounts.createScope(testAccount, "resealed");
  const { keys } = service.parts.accounts.get(testAccount);
  const scopes = service.parts.accounts.list().flatMap(({ encryptionScopes }) => [...encryptionScopes]);
  const count = service.parts.accounts.list().length * 2 + scopes.length;
  expect(await ask("POST", "/sealing-key/reseal")).toEqual({ status: 200, body: { resealed: count } });
  expect(reloadSecrets).toHaveBeenCalledOnce();
  service.parts.accounts.refresh();
  expect(service.parts.accounts.get(testAccount).keys.map((key) => key.reveal())).toEqual(
    keys.map((key) => key.reveal()),
  );
});
