import path from "node:path";
import { EmbeddedDatabase } from "@trefoil/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "./testing/start-test-service.ts";
import { type TestAnswer, type TestRequest } from "./testing/test-client.ts";

/* Codes of errors/error-table.ts that no test beside their operation has. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(() => service.close());

const send = (method: string, target: string, request: TestRequest = {}): Promise<TestAnswer> =>
  service.client.send(method, target, request);
const createPages = (name: string): Promise<TestAnswer> =>
  send("PUT", `/box/${name}`, { headers: { "~blob-type": "PageBlob", "~blob-content-length": "512" } });
const snapshot = async (name: string): Promise<string> => {
  const { headers } = await send("PUT", `/box/${name}?comp=snapshot`);
  return encodeURIComponent(headers["x-store-snapshot"] ?? "");
};
const commit = (entries: string): Promise<TestAnswer> =>
  send("PUT", "/box/listed?comp=blocklist", { body: `<BlockList>${entries}</BlockList>` });

test("AccountAlreadyExists", async () => {
  const again = service.parts.accounts.create(testAccount, ["a2V5"]);
  await expect(again).rejects.toMatchObject({ code: "AccountAlreadyExists" });
});

test("InvalidBlockId: a list names a block by something that isn't base64", async () => {
  expect(await commit("<Latest>!</Latest>")).toMatchObject({ status: 400, code: "InvalidBlockId" });
  expect(await commit("<Latest></Latest>")).toMatchObject({ status: 400, code: "InvalidBlockId" });
});

test("BlockListTooLong: a list of more than 50,000 blocks", { timeout: 30_000 }, async () => {
  expect(await commit("<Latest>YQ==</Latest>".repeat(50_001))).toMatchObject({ status: 400, code: "BlockListTooLong" });
  // One less is read to its end: what it names isn't there.
  expect(await commit("<Latest>YQ==</Latest>".repeat(50_000))).toMatchObject({ status: 400, code: "InvalidBlockList" });
});

test("BlockCountExceedsLimit: 50,000 appended blocks, 100,000 that wait for a list", async () => {
  await send("PUT", "/box/appended", { headers: { "~blob-type": "AppendBlob" } });
  const append = (): Promise<TestAnswer> => send("PUT", "/box/appended?comp=appendblock", { body: "x" });
  const stage = (text: string): Promise<TestAnswer> =>
    send("PUT", `/box/staged?comp=block&blockid=${Buffer.from(text).toString("base64")}`, { body: "x" });
  await stage("a");
  // Counts that took long to reach.
  const database = new EmbeddedDatabase(path.join(service.directory, "objects.db"));
  database.prepare(`UPDATE blobs SET extras = '{"blockCount":49999}' WHERE name = 'appended'`).run([]);
  database.prepare("UPDATE uncommitted SET blocks = 99999 WHERE name = 'staged'").run([]);
  database.close();
  const refusal = { status: 409, code: "BlockCountExceedsLimit" };
  expect(await append()).toMatchObject({ status: 201 });
  expect(await append()).toMatchObject(refusal);
  expect(await stage("b")).toMatchObject({ status: 201 });
  expect(await stage("c")).toMatchObject(refusal);
  // One that is there already may be replaced.
  expect(await stage("b")).toMatchObject({ status: 201 });
});

test("InfiniteLeaseDurationRequired: a copy onto a blob with a lease that ends", async () => {
  for (const name of ["source", "leased"]) {
    await send("PUT", `/box/${name}`, { headers: { "~blob-type": "BlockBlob" }, body: name });
  }
  const lease = async (headers: Record<string, string>): Promise<string> =>
    (await send("PUT", "/box/leased?comp=lease", { headers })).headers["x-store-lease-id"] ?? "";
  const copy = (leaseId: string): Promise<TestAnswer> =>
    send("PUT", "/box/leased", {
      headers: { "~copy-source": `${service.url}/${testAccount}/box/source`, "~lease-id": leaseId },
    });
  const fixed = await lease({ "~lease-action": "acquire", "~lease-duration": "15" });
  expect(await copy(fixed)).toMatchObject({ status: 412, code: "InfiniteLeaseDurationRequired" });
  await lease({ "~lease-action": "release", "~lease-id": fixed });
  const infinite = await lease({ "~lease-action": "acquire", "~lease-duration": "-1" });
  expect(await copy(infinite)).toMatchObject({ status: 202 });
});

test("LeaseNotPresent… and LeaseIdMismatchWithContainerOperation", async () => {
  await send("PUT", "/leased?restype=container");
  const remove = (): Promise<TestAnswer> =>
    send("DELETE", "/leased?restype=container", {
      headers: { "~lease-id": "11111111-2222-3333-4444-555555555555" },
    });
  expect(await remove()).toMatchObject({ status: 412, code: "LeaseNotPresentWithContainerOperation" });
  const acquire = { "~lease-action": "acquire", "~lease-duration": "-1" };
  await send("PUT", "/leased?restype=container&comp=lease", { headers: acquire });
  expect(await remove()).toMatchObject({ status: 412, code: "LeaseIdMismatchWithContainerOperation" });
});

test("MissingRequiredXmlNode: retention is on without its days", async () => {
  const policy = "<DeleteRetentionPolicy><Enabled>true</Enabled></DeleteRetentionPolicy>";
  const body = `<StorageServiceProperties>${policy}</StorageServiceProperties>`;
  const answer = await send("PUT", "/?restype=service&comp=properties", { body });
  expect(answer).toMatchObject({ status: 400, code: "MissingRequiredXmlNode" });
  expect(answer.text).toContain("<XmlNodeName>Days</XmlNodeName>");
});

test("PreviousSnapshotCannotBeNewer: pages of a snapshot against a later one", async () => {
  await createPages("pages");
  const older = await snapshot("pages");
  service.clock.advance(1000);
  const newer = await snapshot("pages");
  const against = (a: string, b: string): Promise<TestAnswer> =>
    send("GET", `/box/pages?comp=pagelist&snapshot=${a}&prevsnapshot=${b}`);
  expect(await against(older, newer)).toMatchObject({ status: 400, code: "PreviousSnapshotCannotBeNewer" });
  expect(await against(newer, older)).toMatchObject({ status: 200 });
});

test("BlobOverwritten: pages against a snapshot of an earlier blob of the name", async () => {
  await createPages("again");
  const earlier = await snapshot("again");
  service.clock.advance(1000);
  await createPages("again");
  const answer = await send("GET", `/box/again?comp=pagelist&prevsnapshot=${earlier}`);
  expect(answer).toMatchObject({ status: 409, code: "BlobOverwritten" });
});

test("SequenceNumberIncrementTooLarge: there is none after the largest", async () => {
  await createPages("counted");
  const count = (action: string, more: Record<string, string> = {}): Promise<TestAnswer> =>
    send("PUT", "/box/counted?comp=properties", { headers: { "~sequence-number-action": action, ...more } });
  await count("update", { "~blob-sequence-number": String(Number.MAX_SAFE_INTEGER) });
  expect(await count("increment")).toMatchObject({ status: 409, code: "SequenceNumberIncrementTooLarge" });
});

test("PublicAccessNotPermitted: the account keeps its containers closed", async () => {
  const open = { headers: { "~blob-public-access": "container" } };
  expect(await send("PUT", "/open?restype=container", open)).toMatchObject({ status: 201 });
  const list = (): Promise<TestAnswer> => send("GET", "/open?restype=container&comp=list", { anonymous: true });
  expect(await list()).toMatchObject({ status: 200 });
  const allow = (publicAccess: boolean): Promise<unknown> =>
    service.parts.accounts.changeSettings(testAccount, { publicAccess });
  await allow(false);
  const refusal = { status: 409, code: "PublicAccessNotPermitted" };
  expect(await send("PUT", "/other?restype=container", open)).toMatchObject(refusal);
  expect(await send("PUT", "/open?restype=container&comp=acl", open)).toMatchObject(refusal);
  expect(await send("PUT", "/other?restype=container")).toMatchObject({ status: 201 });
  // What was open is closed meanwhile, to those without a right of their own.
  expect(await list()).toMatchObject({ status: 401 });
  await allow(true);
  expect(await list()).toMatchObject({ status: 200 });
});
