import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationTable } from "./operations/operation-table.ts";
import { startTestService, testAccount, type TestService } from "./testing/start-test-service.ts";
import { type TestAnswer } from "./testing/test-client.ts";

/*
 * Every operation, one after the other on one account: the status it answers with and the headers that stand in its
 * row (storage, appendix A). A client that is as strict as Node's own reads the answers, so their framing is judged, too.
 */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.parts.accounts.changeSettings(testAccount, { versioning: true });
});
afterAll(() => service.close());

const changed = ["etag", "last-modified"];
const encrypted = ["~request-server-encrypted"];
const written = [...changed, ...encrypted, "~version-id"];
const read = [
  ...changed,
  "content-length",
  "content-type",
  "content-language",
  "cache-control",
  "accept-ranges",
  "content-disposition",
  "~creation-time",
  "~meta-a",
  "~blob-type",
  "~lease-state",
  "~lease-status",
  "~server-encrypted",
  "~tag-count",
  "~version-id",
  "~is-current-version",
];
const account = ["~sku-name", "~account-kind", "~is-hns-enabled"];

const lease = "11111111-1111-1111-1111-111111111111";
const otherLease = "21111111-1111-1111-1111-111111111111";
const first = Buffer.from("1").toString("base64");
const second = Buffer.from("2").toString("base64");
const until = "Sat, 21 Nov 2026 12:00:00 GMT";
const query =
  "<QueryRequest><QueryType>SQL</QueryType><Expression>SELECT * FROM BlobStorage</Expression></QueryRequest>";

interface Row {
  readonly name: string;
  readonly line: string;
  readonly status: number;
  /** Of the answer. */
  readonly has?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `{snapshot}` in a line or a header is the moment that the last answer with one told. */
const rows: readonly Row[] = [
  {
    name: "service.setProperties",
    line: "PUT /?restype=service&comp=properties",
    status: 202,
    body: "<StorageServiceProperties/>",
  },
  { name: "service.getProperties", line: "GET /?restype=service&comp=properties", status: 200 },
  { name: "service.listContainersSegment", line: "GET /?comp=list", status: 200 },
  { name: "service.getAccountInfo", line: "GET /?restype=account&comp=properties", status: 200, has: account },
  { name: "service.filterBlobs", line: "GET /?comp=blobs&where=a%3D'1'", status: 200 },
  {
    name: "container.create",
    line: "PUT /box?restype=container",
    status: 201,
    has: changed,
    headers: { "~meta-a": "1" },
  },
  {
    name: "container.getProperties",
    line: "GET /box?restype=container",
    status: 200,
    has: [
      ...changed,
      "~meta-a",
      "~lease-state",
      "~lease-status",
      "~has-immutability-policy",
      "~has-legal-hold",
      "~default-encryption-scope",
      "~deny-encryption-scope-override",
      "~immutable-storage-with-versioning-enabled",
    ],
  },
  {
    name: "container.getMetadata",
    line: "GET /box?restype=container&comp=metadata",
    status: 200,
    has: [...changed, "~meta-a"],
  },
  { name: "container.setMetadata", line: "PUT /box?restype=container&comp=metadata", status: 200, has: changed },
  {
    name: "container.setAccessPolicy",
    line: "PUT /box?restype=container&comp=acl",
    status: 200,
    has: changed,
    headers: { "~blob-public-access": "blob" },
    body: "<SignedIdentifiers/>",
  },
  {
    name: "container.getAccessPolicy",
    line: "GET /box?restype=container&comp=acl",
    status: 200,
    has: [...changed, "~blob-public-access"],
  },
  { name: "container.getAccountInfo", line: "GET /box?restype=account&comp=properties", status: 200, has: account },
  ...leaseRows("container", "/box?restype=container&comp=lease"),
  {
    name: "blockBlob.upload",
    line: "PUT /box/blob",
    status: 201,
    has: [...written, "content-md5"],
    headers: {
      "~blob-type": "BlockBlob",
      "~meta-a": "1",
      "~tags": "a=1",
      "~blob-content-language": "de",
      "~blob-cache-control": "no-cache",
      "~blob-content-disposition": "inline",
    },
    body: "text",
  },
  ...leaseRows("blob", "/box/blob?comp=lease"),
  { name: "blob.download", line: "GET /box/blob", status: 200, has: [...read, "content-md5"] },
  {
    name: "blob.download",
    line: "GET /box/blob",
    status: 206,
    has: [...read, "content-range", "content-md5", "~blob-content-md5"],
    headers: { "~range": "bytes=0-1", "~range-get-content-md5": "true" },
  },
  {
    name: "blob.download",
    line: "GET /box/blob",
    status: 206,
    has: [...read, "content-range", "~content-crc64", "~blob-content-md5"],
    headers: { "~range": "bytes=0-1", "~range-get-content-crc64": "true" },
  },
  {
    name: "blob.getProperties",
    line: "HEAD /box/blob",
    status: 200,
    has: [...read, "content-md5", "~access-tier", "~access-tier-inferred"],
  },
  { name: "blob.getMetadata", line: "GET /box/blob?comp=metadata", status: 200, has: [...changed, "~meta-a"] },
  { name: "blob.getMetadata", line: "HEAD /box/blob?comp=metadata", status: 200, has: [...changed, "~meta-a"] },
  {
    name: "blob.query",
    line: "POST /box/blob?comp=query",
    status: 200,
    has: [...changed, "content-type"],
    body: query,
  },
  { name: "blob.setMetadata", line: "PUT /box/blob?comp=metadata", status: 200, has: written },
  { name: "blob.setHttpHeaders", line: "PUT /box/blob?comp=properties", status: 200, has: changed },
  { name: "blob.getAccountInfo", line: "HEAD /box/blob?restype=account&comp=properties", status: 200, has: account },
  { name: "blob.createSnapshot", line: "PUT /box/blob?comp=snapshot", status: 201, has: [...written, "~snapshot"] },
  {
    name: "blob.copy",
    line: "PUT /box/copy",
    status: 202,
    has: [...changed, "~version-id", "~copy-id", "~copy-status"],
    headers: { "~copy-source": "{url}/box/blob" },
  },
  {
    name: "blob.getProperties",
    line: "HEAD /box/copy",
    status: 200,
    has: ["~copy-id", "~copy-source", "~copy-status", "~copy-progress", "~copy-completion-time"],
  },
  {
    name: "blob.copyFromURL",
    line: "PUT /box/copy",
    status: 202,
    has: [...changed, "~version-id", "~copy-id", "~copy-status"],
    headers: { "~copy-source": "{url}/box/blob", "~requires-sync": "true" },
  },
  { name: "blob.setTier", line: "PUT /box/copy?comp=tier", status: 200, headers: { "~access-tier": "Archive" } },
  {
    name: "blob.setTier",
    line: "PUT /box/copy?comp=tier",
    status: 202,
    headers: { "~access-tier": "Cool", "~rehydrate-priority": "High" },
  },
  {
    name: "blob.getProperties",
    line: "HEAD /box/copy",
    status: 200,
    has: ["~access-tier", "~access-tier-inferred", "~access-tier-change-time"],
  },
  { name: "blob.setTags", line: "PUT /box/copy?comp=tags", status: 204, body: "<Tags><TagSet/></Tags>" },
  { name: "blob.getTags", line: "GET /box/copy?comp=tags", status: 200 },
  {
    name: "blob.setExpiry",
    line: "PUT /box/copy?comp=expiry",
    status: 200,
    has: changed,
    headers: { "~expiry-option": "RelativeToNow", "~expiry-time": "600000" },
  },
  { name: "blob.getProperties", line: "HEAD /box/copy", status: 200, has: ["~expiry-time"] },
  {
    name: "blob.setExpiry",
    line: "PUT /box/copy?comp=expiry",
    status: 200,
    has: changed,
    headers: { "~expiry-option": "NeverExpire" },
  },
  {
    name: "blob.setImmutabilityPolicy",
    line: "PUT /box/copy?comp=immutabilityPolicies",
    status: 200,
    has: ["~immutability-policy-until-date", "~immutability-policy-mode"],
    headers: { "~immutability-policy-until-date": until, "~immutability-policy-mode": "Unlocked" },
  },
  {
    name: "blob.getProperties",
    line: "HEAD /box/copy",
    status: 200,
    has: ["~immutability-policy-until-date", "~immutability-policy-mode"],
  },
  { name: "blob.deleteImmutabilityPolicy", line: "DELETE /box/copy?comp=immutabilityPolicies", status: 200 },
  {
    name: "blob.setLegalHold",
    line: "PUT /box/copy?comp=legalhold",
    status: 200,
    has: ["~legal-hold"],
    headers: { "~legal-hold": "true" },
  },
  { name: "blob.getProperties", line: "HEAD /box/copy", status: 200, has: ["~legal-hold"] },
  {
    name: "blob.setLegalHold",
    line: "PUT /box/copy?comp=legalhold",
    status: 200,
    has: ["~legal-hold"],
    headers: { "~legal-hold": "false" },
  },
  {
    name: "blob.delete",
    line: "DELETE /box/copy",
    status: 202,
    has: ["~delete-type-permanent"],
  },
  {
    name: "blockBlob.putBlobFromUrl",
    line: "PUT /box/from-url",
    status: 201,
    has: written,
    headers: { "~blob-type": "BlockBlob", "~copy-source": "{url}/box/blob" },
  },
  {
    name: "blockBlob.stageBlock",
    line: `PUT /box/blocks?comp=block&blockid=${first}`,
    status: 201,
    has: [...encrypted, "~content-crc64"],
    body: "block",
  },
  {
    name: "blockBlob.stageBlockFromURL",
    line: `PUT /box/blocks?comp=block&blockid=${second}`,
    status: 201,
    has: [...encrypted, "content-md5"],
    headers: { "~copy-source": "{url}/box/blob" },
  },
  {
    name: "blockBlob.commitBlockList",
    line: "PUT /box/blocks?comp=blocklist",
    status: 201,
    has: [...written, "content-md5"],
    body: `<BlockList><Latest>${first}</Latest><Latest>${second}</Latest></BlockList>`,
  },
  {
    name: "blockBlob.getBlockList",
    line: "GET /box/blocks?comp=blocklist&blocklisttype=all",
    status: 200,
    has: [...changed, "content-type", "~blob-content-length"],
  },
  {
    name: "pageBlob.create",
    line: "PUT /box/pages",
    status: 201,
    has: written,
    headers: { "~blob-type": "PageBlob", "~blob-content-length": "1024" },
  },
  {
    name: "pageBlob.uploadPages",
    line: "PUT /box/pages?comp=page",
    status: 201,
    has: [...changed, ...encrypted, "~content-crc64", "~blob-sequence-number"],
    headers: { "~page-write": "update", "~range": "bytes=0-511" },
    body: "p".repeat(512),
  },
  {
    name: "pageBlob.uploadPagesFromURL",
    line: "PUT /box/pages?comp=page",
    status: 201,
    has: [...changed, ...encrypted, "~blob-sequence-number"],
    headers: {
      "~page-write": "update",
      "~range": "bytes=512-1023",
      "~copy-source": "{url}/box/pages",
      "~source-range": "bytes=0-511",
    },
  },
  {
    name: "pageBlob.clearPages",
    line: "PUT /box/pages?comp=page",
    status: 201,
    has: [...changed, "~blob-sequence-number"],
    headers: { "~page-write": "clear", "~range": "bytes=512-1023" },
  },
  {
    name: "pageBlob.getPageRanges",
    line: "GET /box/pages?comp=pagelist",
    status: 200,
    has: [...changed, "~blob-content-length"],
  },
  {
    name: "pageBlob.resize",
    line: "PUT /box/pages?comp=properties",
    status: 200,
    has: [...changed, "~blob-sequence-number"],
    headers: { "~blob-content-length": "2048" },
  },
  {
    name: "pageBlob.updateSequenceNumber",
    line: "PUT /box/pages?comp=properties",
    status: 200,
    has: [...changed, "~blob-sequence-number"],
    headers: { "~sequence-number-action": "increment" },
  },
  { name: "blob.createSnapshot", line: "PUT /box/pages?comp=snapshot", status: 201, has: [...changed, "~snapshot"] },
  {
    name: "pageBlob.getPageRangesDiff",
    line: "GET /box/pages?comp=pagelist",
    status: 200,
    has: [...changed, "~blob-content-length"],
    headers: { "~previous-snapshot-url": "{url}/box/pages?snapshot={snapshot}" },
  },
  {
    name: "pageBlob.copyIncremental",
    line: "PUT /box/increments?comp=incrementalcopy",
    status: 202,
    has: [...changed, "~copy-id", "~copy-status"],
    headers: { "~copy-source": "{url}/box/pages?snapshot={snapshot}" },
  },
  {
    name: "blob.getProperties",
    line: "HEAD /box/increments",
    status: 200,
    has: ["~blob-sequence-number", "~incremental-copy", "~copy-destination-snapshot"],
  },
  {
    name: "appendBlob.create",
    line: "PUT /box/log",
    status: 201,
    has: written,
    headers: { "~blob-type": "AppendBlob" },
  },
  {
    name: "appendBlob.appendBlock",
    line: "PUT /box/log?comp=appendblock",
    status: 201,
    has: [...changed, ...encrypted, "~content-crc64", "~blob-append-offset", "~blob-committed-block-count"],
    body: "line",
  },
  {
    name: "appendBlob.appendBlockFromUrl",
    line: "PUT /box/log?comp=appendblock",
    status: 201,
    has: [...changed, ...encrypted, "~blob-append-offset", "~blob-committed-block-count"],
    headers: { "~copy-source": "{url}/box/blob" },
  },
  { name: "appendBlob.seal", line: "PUT /box/log?comp=seal", status: 200, has: [...changed, "~blob-sealed"] },
  {
    name: "blob.getProperties",
    line: "HEAD /box/log",
    status: 200,
    has: ["~blob-sealed", "~blob-committed-block-count"],
  },
  { name: "container.listBlobs", line: "GET /box?restype=container&comp=list", status: 200, has: ["content-type"] },
  { name: "container.filterBlobs", line: "GET /box?restype=container&comp=blobs&where=a%3D'1'", status: 200 },
  {
    name: "container.rename",
    line: "PUT /crate?restype=container&comp=rename",
    status: 200,
    headers: { "~source-container-name": "box" },
  },
  { name: "container.delete", line: "DELETE /crate?restype=container", status: 202 },
];

function leaseRows(scope: "container" | "blob", target: string): readonly Row[] {
  const row = (action: string, status: number, has: readonly string[], headers: Record<string, string>): Row => ({
    name: `${scope}.${action}Lease`,
    line: `PUT ${target}`,
    status,
    has: [...changed, ...has],
    headers: { "~lease-action": action, ...headers },
  });
  return [
    row("acquire", 201, ["~lease-id"], { "~lease-duration": "60", "~proposed-lease-id": lease }),
    row("renew", 200, ["~lease-id"], { "~lease-id": lease }),
    row("change", 200, ["~lease-id"], { "~lease-id": lease, "~proposed-lease-id": otherLease }),
    row("break", 202, ["~lease-time"], { "~lease-break-period": "0" }),
    row("release", 200, [], { "~lease-id": otherLease }),
  ];
}

let snapshot = "";

async function send({ line, headers = {}, body = "" }: Row, family: "x-ms-" | "x-store-"): Promise<TestAnswer> {
  const fill = (text: string): string =>
    text.replace("{url}", `${service.url}/${testAccount}`).replace("{snapshot}", encodeURIComponent(snapshot));
  const [method = "", target = ""] = line.split(" ");
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
  const sent = await service.client.with({ family }).send(method, target, { headers: filled, body });
  snapshot = sent.headers[`${family}snapshot`] ?? snapshot;
  return sent;
}

describe.each(["x-ms-", "x-store-"] as const)("with %s headers", (family) => {
  test.each(rows)("$name: $line", async (row) => {
    const answer = await send(row, family);
    expect(answer).toMatchObject({ status: row.status });
    const names = [...(row.has ?? []), "~request-id", "~version", "date"].map((name) => name.replace("~", family));
    expect(names.filter((name) => answer.headers[name] === undefined)).toEqual([]);
    const other = family === "x-ms-" ? "x-store-" : "x-ms-";
    expect(Object.keys(answer.headers).filter((name) => name.startsWith(other))).toEqual([]);
  });
});

/** What these need of the account before has its own tests. */
const elsewhere = [
  "service.getStatistics",
  "service.getUserDelegationKey",
  "service.submitBatch",
  "container.restore",
  "container.submitBatch",
  "blob.undelete",
  "blob.abortCopyFromURL",
];

test("no operation is forgotten", () => {
  const asked = new Set([...rows.map(({ name }) => name), ...elsewhere]);
  expect([...asked].toSorted()).toEqual([...new Set(operationTable.map(({ name }) => name))].toSorted());
});
