import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSas } from "../shared-access-signature/create-sas.ts";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;

beforeEach(async () => {
  service = await startTestService();
  await send("PUT", "?restype=container");
});
afterEach(() => service.close());

const day = 24 * 3_600_000;
const held = { status: 409, code: "BlobImmutableDueToLegalHold" };
const kept = { status: 409, code: "BlobImmutableDueToPolicy" };

function send(method: string, target: string, headers: Record<string, string> = {}, body = ""): Promise<TestAnswer> {
  return service.client.send(method, `/box${target}`, { headers, body });
}
const put = (body: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  send("PUT", "/blob", { "~blob-type": "BlockBlob", ...headers }, body);
const remove = (query = "", headers: Record<string, string> = {}): Promise<TestAnswer> =>
  send("DELETE", `/blob${query}`, headers);
const policyHeaders = (ms: number, mode: string): Record<string, string> => ({
  "~immutability-policy-until-date": new Date(service.clock.now() + ms).toUTCString(),
  "~immutability-policy-mode": mode,
});
const policy = (ms: number, mode: string): Promise<TestAnswer> =>
  send("PUT", "/blob?comp=immutabilityPolicies", policyHeaders(ms, mode));
const hold = (value: string, query = ""): Promise<TestAnswer> =>
  send("PUT", `/blob?comp=legalhold${query}`, { "~legal-hold": value });

describe("immutability", () => {
  test("by a legal hold keeps a blob until it is lifted", async () => {
    await put("x");
    expect(await hold("true")).toMatchObject({ status: 200, headers: { "x-store-legal-hold": "true" } });
    expect(await put("y")).toMatchObject(held);
    expect(await remove()).toMatchObject(held);
    expect((await send("GET", "/blob")).headers).toMatchObject({ "x-store-legal-hold": "true" });
    await hold("false");
    expect(await put("y")).toMatchObject({ status: 201 });
  });

  test("by a policy keeps a blob until its time; a locked one is only prolonged", async () => {
    await put("x");
    expect(await policy(day, "Unlocked")).toMatchObject({ status: 200 });
    expect(await remove()).toMatchObject(kept);
    expect(await policy(day / 2, "unlocked")).toMatchObject({ status: 200 });
    expect(await policy(day, "Locked")).toMatchObject({ status: 200 });
    expect(await policy(day / 2, "Locked")).toMatchObject({ status: 409 });
    expect(await policy(2 * day, "Unlocked")).toMatchObject({ status: 409 });
    expect(await remove("?comp=immutabilityPolicies")).toMatchObject({ status: 409 });
    expect(await policy(2 * day, "Locked")).toMatchObject({ status: 200 });
    service.clock.advance(2 * day);
    expect(await remove()).toMatchObject({ status: 202 });
  });

  test("by a policy is set only where the blob is as it was", async () => {
    await put("x");
    const set = (name: string, ms: number): Promise<TestAnswer> =>
      send("PUT", "/blob?comp=immutabilityPolicies", {
        ...policyHeaders(day, "Unlocked"),
        [name]: new Date(service.clock.now() + ms).toUTCString(),
      });
    expect(await set("if-unmodified-since", -day)).toMatchObject({ status: 412, code: "ConditionNotMet" });
    expect(await set("if-modified-since", -day)).toMatchObject({ status: 400, code: "ConditionHeadersNotSupported" });
    expect(await remove()).toMatchObject({ status: 202 });
    await put("x");
    expect(await set("if-unmodified-since", 0)).toMatchObject({ status: 200 });
    expect(await remove()).toMatchObject(kept);
  });

  test("is refused in the past or with words that it doesn't know", async () => {
    await put("x");
    expect(await policy(-day, "Locked")).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
    expect(await policy(day, "Forever")).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
    expect(await hold("maybe")).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
  });

  test("is refused of a blob that ends by itself, which would not stay", async () => {
    await put("x");
    await send("PUT", "/blob?comp=expiry", { "~expiry-option": "RelativeToNow", "~expiry-time": "1000" });
    expect(await hold("true")).toMatchObject({ status: 400, code: "InvalidOperation" });
  });

  test("keeps the container, until nothing in it has to stay", async () => {
    await put("x");
    await hold("true");
    expect(await send("DELETE", "?restype=container")).toMatchObject(held);
    await hold("false");
    await policy(day, "Unlocked");
    expect(await send("DELETE", "?restype=container")).toMatchObject(kept);
    service.clock.advance(day);
    expect(await send("DELETE", "?restype=container")).toMatchObject({ status: 202 });
  });

  test("keeps a snapshot when all snapshots are to go", async () => {
    await put("x");
    const { headers } = await send("PUT", "/blob?comp=snapshot");
    await hold("true", `&snapshot=${headers["x-store-snapshot"]}`);
    expect(await remove("", { "~delete-snapshots": "include" })).toMatchObject(held);
    expect(await remove("", { "~delete-snapshots": "only" })).toMatchObject(held);
    await hold("false", `&snapshot=${headers["x-store-snapshot"]}`);
    expect(await remove("", { "~delete-snapshots": "include" })).toMatchObject({ status: 202 });
  });
});

describe("immutability of a blob from its making", () => {
  const source = (): string => `${service.url}/${testAccount}/box/source`;
  const list = "<BlockList></BlockList>";
  test.each([
    ["Put Blob", "", { "~blob-type": "BlockBlob" }, ""],
    ["Put Blob of an append blob", "", { "~blob-type": "AppendBlob" }, ""],
    ["Put Blob of a page blob", "", { "~blob-type": "PageBlob", "~blob-content-length": "512" }, ""],
    ["Put Block List", "?comp=blocklist", {}, list],
    ["Copy Blob", "", { "~copy-source": "source" }, ""],
    ["Put Blob From URL", "", { "~blob-type": "BlockBlob", "~copy-source": "source" }, ""],
  ])("%s", async (_name, query, given, body) => {
    await send("PUT", "/source", { "~blob-type": "BlockBlob" });
    const headers = { ...given, ...("~copy-source" in given ? { "~copy-source": source() } : {}) };
    const asked = { ...policyHeaders(day, "Locked"), "~legal-hold": "true" };
    expect((await send("PUT", `/blob${query}`, { ...headers, ...asked }, body)).status).toBeLessThan(300);
    expect((await send("HEAD", "/blob")).headers).toMatchObject({
      "x-store-immutability-policy-mode": "locked",
      "x-store-legal-hold": "true",
    });
    expect(await remove()).toMatchObject(held);
    await hold("false");
    expect(await remove()).toMatchObject(kept);
  });

  test("needs its time", async () => {
    const answer = await put("x", { "~immutability-policy-mode": "Locked" });
    expect(answer).toMatchObject({ status: 400, code: "MissingRequiredHeader" });
  });

  test("takes a signature that allows it, and not of the source", async () => {
    const account = service.parts.accounts.find(testAccount)!;
    const expiryMs = service.clock.now() + day;
    const sas = (permissions: string): string => createSas(account, { container: "box", permissions, expiryMs });
    const byUrl = (permissions: string, headers: Record<string, string>): Promise<TestAnswer> =>
      service.client.send("PUT", `/box/blob?${sas(permissions)}`, { headers, anonymous: true });
    const upload = { "x-ms-blob-type": "BlockBlob", "x-ms-legal-hold": "false" };
    expect(await byUrl("w", upload)).toMatchObject({ status: 403, code: "AuthorizationPermissionMismatch" });
    expect(await byUrl("wi", upload)).toMatchObject({ status: 201 });
    const from = { "~copy-source": `${source()}?${sas("r")}`, "~legal-hold": "false" };
    await send("PUT", "/source", { "~blob-type": "BlockBlob" });
    expect(await send("PUT", "/copied", from)).toMatchObject({ status: 202 });
  });
});

describe("immutability where versions are kept", () => {
  test("is of the version: another may follow it, and it can't be removed", async () => {
    await service.parts.accounts.changeSettings(testAccount, { versioning: true });
    const version = `?versionid=${(await put("first")).headers["x-store-version-id"]}`;
    await hold("true");
    expect(await send("PUT", "/blob?comp=metadata", { "~meta-a": "1" })).toMatchObject(held);
    expect(await put("second")).toMatchObject({ status: 201 });
    expect((await send("HEAD", "/blob")).headers["x-store-legal-hold"]).toBeUndefined();
    expect(await send("GET", `/blob${version}`)).toMatchObject({ text: "first" });
    expect(await remove(version)).toMatchObject(held);
    await hold("true");
    expect(await remove()).toMatchObject({ status: 202 });
    expect(await send("DELETE", "?restype=container")).toMatchObject(held);
  });
});
