import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSas } from "../shared-access-signature/create-sas.ts";
import { startTestService, testAccount, testKey, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";

let service: TestService;
const fileSystem = new UnsyncedFileSystem();

beforeAll(async () => {
  service = await startTestService({ fileSystem });
  for (const name of ["alpha", "beta"]) {
    await service.parts.accounts.createScope(testAccount, name);
  }
  await service.client.send("PUT", "/box?restype=container");
  await service.client.send("PUT", "/inner?restype=container", { headers: { "~default-encryption-scope": "alpha" } });
  await service.client.send("PUT", "/shut?restype=container", {
    headers: { "~default-encryption-scope": "alpha", "~deny-encryption-scope-override": "true" },
  });
});
afterAll(() => service.close());

type Headers = Readonly<Record<string, string>>;

const alpha = { "~encryption-scope": "alpha" };
const beta = { "~encryption-scope": "beta" };
const inAlpha = { "x-store-encryption-scope": "alpha" };
const block = { "~blob-type": "BlockBlob" };

const send = (method: string, target: string, headers: Headers = {}, body?: Buffer | string): Promise<TestAnswer> =>
  service.client.send(method, `/${target}`, { headers, ...(body === undefined ? {} : { body }) });
const put = (target: string, body: Buffer | string, headers: Headers = {}): Promise<TestAnswer> =>
  send("PUT", target, { ...block, ...headers }, body);
const scopeOf = async (target: string): Promise<string | undefined> =>
  (await send("HEAD", target)).headers["x-store-encryption-scope"];
const code = async (answer: Promise<TestAnswer>): Promise<string> => {
  const { status, code: text } = await answer;
  return `${status} ${text}`;
};
const source = (target: string): Headers => ({ "~copy-source": `${service.url}/${testAccount}/${target}` });
const setState = (name: string, isEnabled: boolean): Promise<unknown> =>
  service.parts.accounts.setScopeState(testAccount, name, isEnabled);

const missing = "409 BlobUsesCustomerSpecifiedEncryption";
const unasked = "409 BlobDoesNotUseCustomerSpecifiedEncryption";
const mismatch = "409 BlobCustomerSpecifiedEncryptionMismatch";
const forbidden = "403 RequestForbiddenByContainerEncryptionPolicy";

test.each([0, 1, 16_384, 1_300_000])(
  "a blob of %i bytes is read by whoever may, whole and in ranges",
  async (length) => {
    const body = randomBytes(length);
    const stored = await put("box/a", body, { ...alpha, "~meta-a": "1" });
    expect(stored).toMatchObject({ status: 201, headers: { ...inAlpha, "x-store-request-server-encrypted": "true" } });
    expect(stored.headers["content-md5"]).toBe(createHash("md5").update(body).digest("base64"));
    const whole = await send("GET", "box/a");
    expect(whole).toMatchObject({ status: 200, headers: { ...inAlpha, "x-store-meta-a": "1" } });
    expect(whole.bytes.equals(body)).toBe(true);
    expect((await send("HEAD", "box/a")).headers).toMatchObject({ ...inAlpha, "x-store-meta-a": "1" });
    expect((await send("GET", "box/a?comp=metadata")).headers).toMatchObject({ "x-store-meta-a": "1" });
    const half = Math.floor(length / 2);
    const rest = await send("GET", "box/a", { "~range": `bytes=${half}-` });
    expect(rest.bytes.equals(body.subarray(half))).toBe(true);
  },
);

test("neither bytes nor metadata nor the key are on the disk in the clear", async () => {
  const [small, large, secret] = ["smallplaintext", "largeplaintext".repeat(5_000), "secretmetadata"];
  await put("box/clear", small, { ...alpha, "~meta-a": secret });
  await put("inner/clear", large);
  const files = ["objects.db", "objects.db-wal"].map((name) => path.join(service.directory, name));
  const database = Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
  expect(database.includes("alpha")).toBe(true);
  for (const text of [small, secret]) {
    expect(database.includes(text)).toBe(false);
  }
  for (const file of fileSystem.fileNames) {
    const stored = Buffer.alloc(fileSystem.sizeOf(file));
    await (await fileSystem.open(file)).read(stored, 0);
    expect(stored.includes("largeplaintext")).toBe(false);
  }
});

describe("a container's own scope", () => {
  test("is told of it, and is that of blobs for which none is named", async () => {
    const told = { "x-store-default-encryption-scope": "alpha", "x-store-deny-encryption-scope-override": "false" };
    expect((await send("GET", "inner?restype=container")).headers).toMatchObject(told);
    expect((await send("GET", "box?restype=container")).headers).toMatchObject({
      "x-store-default-encryption-scope": "$account-encryption-key",
      "x-store-deny-encryption-scope-override": "false",
    });
    const { text } = await send("GET", "?comp=list");
    expect(text).toContain(
      "<DefaultEncryptionScope>alpha</DefaultEncryptionScope><DenyEncryptionScopeOverride>true</DenyEncryptionScopeOverride>",
    );
    expect(await put("inner/usual", "text")).toMatchObject({ status: 201, headers: inAlpha });
    expect(await put("inner/other", "text", beta)).toMatchObject({
      status: 201,
      headers: { "x-store-encryption-scope": "beta" },
    });
    await put("inner/none", "text", { "~encryption-scope": "$account-encryption-key" });
    expect(await scopeOf("inner/none")).toBeUndefined();
    const log = await send("PUT", "inner/log", { "~blob-type": "AppendBlob" });
    expect(log).toMatchObject({ status: 201, headers: inAlpha });
    expect(await send("PUT", "inner/log?comp=appendblock", {}, "text")).toMatchObject({
      status: 201,
      headers: inAlpha,
    });
    expect((await send("GET", "inner/log")).text).toBe("text");
  });

  test("may be the only one", async () => {
    const bytes = randomBytes(32);
    const own = {
      "~encryption-key": bytes.toString("base64"),
      "~encryption-key-sha256": createHash("sha256").update(bytes).digest("base64"),
      "~encryption-algorithm": "AES256",
    };
    expect(await code(put("shut/a", "text", beta))).toBe(forbidden);
    expect(await code(put("shut/a", "text", own))).toBe(forbidden);
    expect(await code(put("shut/a", "text", { "~encryption-scope": "$account-encryption-key" }))).toBe(forbidden);
    expect(await put("shut/a", "text", alpha)).toMatchObject({ status: 201, headers: inAlpha });
    expect(await put("shut/a", "text")).toMatchObject({ status: 201, headers: inAlpha });
    expect(await code(put("box/both", "text", { ...own, ...alpha }))).toBe("400 InvalidHeaderValue");
  });

  test.each([
    ["no such scope", { "~default-encryption-scope": "gamma" }, "400 InvalidHeaderValue"],
    ["no scope", { "~deny-encryption-scope-override": "true" }, "400 MissingRequiredHeader"],
    [
      "neither yes nor no",
      { "~default-encryption-scope": "alpha", "~deny-encryption-scope-override": "maybe" },
      "400 InvalidHeaderValue",
    ],
  ])("is refused with %s", async (_, headers, expected) => {
    expect(await code(send("PUT", "never?restype=container", headers))).toBe(expected);
    expect(await send("HEAD", "never?restype=container")).toMatchObject({ status: 404 });
  });
});

test("a scope that is not there is refused by name, and by operations that take none", async () => {
  const unknown = await put("box/unknown", "text", { "~encryption-scope": "gamma" });
  expect(unknown).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
  expect(unknown.text).toContain("The specified encryption scope does not exist.");
  expect(unknown.text).toContain("<HeaderName>x-store-encryption-scope</HeaderName>");
  await put("box/plain", "text");
  for (const request of [
    send("GET", "box/plain", alpha),
    send("PUT", "box/copied", { ...source("box/plain"), ...alpha }),
    put("box/plain", "text", { "~default-encryption-scope": "alpha" }),
    send("PUT", "box?restype=container&comp=metadata", { "~deny-encryption-scope-override": "true" }),
  ]) {
    expect(await code(request)).toBe("400 UnsupportedHeader");
  }
});

test("what changes a blob names its scope", async () => {
  await put("box/named", "text", { ...alpha, "~meta-a": "1" });
  for (const comp of ["metadata", "snapshot"]) {
    expect(await code(send("PUT", `box/named?comp=${comp}`))).toBe(missing);
    expect(await code(send("PUT", `box/named?comp=${comp}`, beta))).toBe(mismatch);
  }
  const { "x-store-snapshot": moment } = (await send("PUT", "box/named?comp=snapshot", alpha)).headers;
  const changed = await send("PUT", "box/named?comp=metadata", { ...alpha, "~meta-b": "2" });
  expect(changed).toMatchObject({ status: 200, headers: inAlpha });
  expect((await send("HEAD", "box/named")).headers).toMatchObject({ "x-store-meta-b": "2" });
  const snapshot = await send("GET", `box/named?snapshot=${moment}`);
  expect(snapshot).toMatchObject({ text: "text", headers: { ...inAlpha, "x-store-meta-a": "1" } });
  await put("box/unnamed", "text");
  expect(await code(send("PUT", "box/unnamed?comp=metadata", alpha))).toBe(unasked);
  expect(await send("PUT", "box/named?comp=tier", { "~access-tier": "Cool" })).toMatchObject({ status: 200 });
});

test("blocks of one blob share a scope, which the list names too", async () => {
  const stage = (id: string, headers: Headers): Promise<TestAnswer> =>
    send(
      "PUT",
      `box/list?comp=block&blockid=${encodeURIComponent(Buffer.from(id).toString("base64"))}`,
      headers,
      "text",
    );
  const commit = (headers: Headers): Promise<TestAnswer> =>
    send("PUT", "box/list?comp=blocklist", headers, "<BlockList><Latest>YQ==</Latest></BlockList>");
  expect(await stage("a", alpha)).toMatchObject({ status: 201, headers: inAlpha });
  expect(await code(stage("b", {}))).toBe(missing);
  expect(await code(stage("b", beta))).toBe(mismatch);
  expect(await code(commit({}))).toBe(missing);
  expect(await commit(alpha)).toMatchObject({ status: 201, headers: inAlpha });
  expect(await send("GET", "box/list")).toMatchObject({ text: "text", headers: inAlpha });
});

test("a page blob is written and read with its scope", async () => {
  const pages = randomBytes(1024);
  await send("PUT", "box/disk", { "~blob-type": "PageBlob", "~blob-content-length": "2048", ...alpha });
  const update = { "~page-write": "update", "~range": "bytes=512-1535" };
  expect(await code(send("PUT", "box/disk?comp=page", update, pages))).toBe(missing);
  expect(await send("PUT", "box/disk?comp=page", { ...update, ...alpha }, pages)).toMatchObject({ headers: inAlpha });
  const { bytes } = await send("GET", "box/disk");
  expect(bytes.equals(Buffer.concat([Buffer.alloc(512), pages, Buffer.alloc(512)]))).toBe(true);
});

describe("a disabled scope", () => {
  test("shuts what is encrypted with it until it is enabled again", async () => {
    await put("box/closed", "text", { ...beta, "~meta-a": "secret" });
    await setState("beta", false);
    const refused = "403 AuthorizationFailure";
    expect(await code(send("GET", "box/closed"))).toBe(refused);
    expect(await code(send("HEAD", "box/closed"))).toBe(refused);
    expect(await code(put("box/closed", "text", beta))).toBe(refused);
    expect(await code(send("PUT", "later?restype=container", { "~default-encryption-scope": "beta" }))).toBe(refused);
    expect(await code(send("PUT", "box/copied", source("box/closed")))).toBe("403 CannotVerifyCopySource");
    const { text } = await send("GET", "box?restype=container&comp=list&include=metadata&prefix=closed");
    expect(text).toContain('<Metadata Encrypted="true" />');
    expect(text).not.toContain("secret");
    await setState("beta", true);
    expect((await send("GET", "box/closed")).text).toBe("text");
  });

  test("is no obstacle to deleting", async () => {
    await put("box/deleted", "text", beta);
    await setState("beta", false);
    expect(await send("DELETE", "box/deleted")).toMatchObject({ status: 202 });
    await setState("beta", true);
  });
});

test("a listing names scopes and shows their metadata", async () => {
  await put("box/listed", "x", { ...alpha, "~meta-a": "1" });
  const { text } = await send("GET", "box?restype=container&comp=list&include=metadata&prefix=listed");
  expect(text).toContain("<ServerEncrypted>true</ServerEncrypted><EncryptionScope>alpha</EncryptionScope>");
  expect(text).toContain("<Metadata><a>1</a></Metadata>");
});

describe("a copy", () => {
  const body = randomBytes(40_000);
  beforeAll(async () => {
    await put("box/from", body, { ...alpha, "~meta-a": "1", "content-type": "text/x" });
    await put("box/from-plain", body, { "~meta-a": "1" });
  });

  test.each([
    ["into the same scope shares the bytes", "box/from", "inner/to", 0],
    ["out of its scope", "box/from", "box/to", 1],
    ["into a scope", "box/from-plain", "inner/to-2", 1],
  ])("%s", async (_, from, to, stored) => {
    const files = fileSystem.fileNames.length;
    expect(await send("PUT", to, source(from))).toMatchObject({
      status: 202,
      headers: { "x-store-copy-status": "success" },
    });
    expect(fileSystem.fileNames).toHaveLength(files + stored);
    const read = await send("GET", to);
    expect(read.bytes.equals(body)).toBe(true);
    expect(read.headers).toMatchObject({ "x-store-meta-a": "1", "x-store-copy-status": "success" });
    expect(read.headers["x-store-encryption-scope"]).toBe(to.startsWith("inner") ? "alpha" : undefined);
  });

  test("by URL names its scope", async () => {
    const sync = { ...source("box/from"), "~requires-sync": "true", ...beta };
    expect(await send("PUT", "box/sync", sync)).toMatchObject({
      status: 202,
      headers: { "x-store-encryption-scope": "beta" },
    });
    expect(await scopeOf("box/sync")).toBe("beta");
    expect((await send("GET", "box/sync")).bytes.equals(body)).toBe(true);
    expect(await send("PUT", "box/from-url", { ...source("box/from"), ...block, ...beta })).toMatchObject({
      status: 201,
    });
    expect((await send("GET", "box/from-url")).bytes.equals(body)).toBe(true);
    await send("PUT", "box/parts?comp=block&blockid=YQ%3D%3D", {
      ...source("box/from"),
      "content-length": "0",
      ...beta,
    });
    await send("PUT", "box/parts?comp=blocklist", beta, "<BlockList><Latest>YQ==</Latest></BlockList>");
    expect((await send("GET", "box/parts")).bytes.equals(body)).toBe(true);
  });

  test("over a blob needs a lease of its that doesn't end, though it takes bytes along", async () => {
    await put("box/leased", "text");
    const lease = { "~lease-action": "acquire", "~lease-duration": "30" };
    const { "x-store-lease-id": id = "" } = (await send("PUT", "box/leased?comp=lease", lease)).headers;
    expect(await code(send("PUT", "box/leased", { ...source("box/from"), "~lease-id": id }))).toBe(
      "412 InfiniteLeaseDurationRequired",
    );
    expect((await send("GET", "box/leased")).text).toBe("text");
  });

  test("of an append blob can grow, of a page blob stays in its scope", async () => {
    await send("PUT", "box/log", { "~blob-type": "AppendBlob", ...alpha });
    await send("PUT", "box/log?comp=appendblock", alpha, "one");
    await send("PUT", "box/log-2", source("box/log"));
    await send("PUT", "box/log-2?comp=appendblock", {}, "two");
    expect(await send("GET", "box/log-2")).toMatchObject({
      text: "onetwo",
      headers: { "x-store-blob-committed-block-count": "2" },
    });
    await send("PUT", "box/pages", { "~blob-type": "PageBlob", "~blob-content-length": "512", ...alpha });
    expect(await code(send("PUT", "box/pages-2", source("box/pages")))).toBe("409 CannotVerifyCopySource");
    expect(await send("PUT", "inner/pages-2", source("box/pages"))).toMatchObject({ status: 202 });
    expect(await scopeOf("inner/pages-2")).toBe("alpha");
  });

  test("into another account's scope of the same name has that one's key", async () => {
    await service.parts.accounts.create("second", [testKey]);
    await service.parts.accounts.createScope("second", "alpha");
    const second = service.client.with({ account: "second" });
    await second.send("PUT", "/box?restype=container", { headers: { "~default-encryption-scope": "alpha" } });
    const sas = createSas(service.parts.accounts.get(testAccount), {
      permissions: "r",
      container: "box",
      expiryMs: service.clock.now() + 60_000,
    });
    const headers = { "~copy-source": `${service.url}/${testAccount}/box/from?${sas}` };
    expect(await second.send("PUT", "/box/to", { headers })).toMatchObject({ status: 202 });
    expect((await second.send("GET", "/box/to")).bytes.equals(body)).toBe(true);
  });
});

describe("a signature that names a scope", () => {
  const signed = (method: string, target: string, scope: string, headers: Headers = {}): Promise<TestAnswer> => {
    const sas = createSas(service.parts.accounts.get(testAccount), {
      permissions: "rw",
      container: target.split("/")[0],
      expiryMs: service.clock.now() + 60_000,
      encryptionScope: scope,
    });
    const body = method === "PUT" ? { body: "text" } : {};
    return service.client.send(method, `/${target}?${sas}`, { anonymous: true, headers, ...body });
  };
  const write = { "x-ms-blob-type": "BlockBlob", "x-ms-version": "2026-10-06" };

  test("writes with it and reads whatever there is", async () => {
    expect(await signed("PUT", "box/signed", "alpha", write)).toMatchObject({
      status: 201,
      headers: { "x-ms-encryption-scope": "alpha" },
    });
    expect(await signed("GET", "box/signed", "beta")).toMatchObject({ text: "text" });
    const same = { ...write, "x-ms-encryption-scope": "alpha" };
    expect(await signed("PUT", "box/signed", "alpha", same)).toMatchObject({ status: 201 });
  });

  test("allows no other", async () => {
    expect(await code(signed("PUT", "box/signed", "beta", { ...write, "x-ms-encryption-scope": "alpha" }))).toBe(
      forbidden,
    );
    expect(await code(signed("PUT", "shut/signed", "beta", write))).toBe(forbidden);
    expect(await code(signed("PUT", "box/signed", "gamma", write))).toBe("400 InvalidQueryParameterValue");
  });
});

test("a scope's key outlasts a restart, and its blobs with it", async () => {
  const { directory } = service;
  await put("box/kept", "text", alpha);
  await service.stop();
  service = await startTestService({ fileSystem, directory });
  expect(await send("GET", "box/kept")).toMatchObject({ text: "text", headers: inAlpha });
});
