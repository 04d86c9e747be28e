// @azure/storage-blob, newest: blocks, streams, snapshots, copies, leases, signatures, tags, batches, append and page blobs.
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  AnonymousCredential,
  BlobSASPermissions,
  BlobServiceClient,
  ContainerClient,
  BlobClient,
  generateAccountSASQueryParameters,
  generateBlobSASQueryParameters,
} from "@azure/storage-blob";
import { answer, readInput } from "./exchange.mjs";

const { connectionString } = await readInput();
const service = BlobServiceClient.fromConnectionString(connectionString);
const { credential } = service;
const container = service.getContainerClient("newest");
await container.create({ metadata: { made_by: "interop" } });
const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");
const failure = (promise) =>
  promise.then(
    () => "none",
    (error) => `${error.statusCode} ${error.details?.errorCode ?? error.code}`,
  );
const result = {};

// Parallel blocks, a stream of unknown length, parallel ranges.
const bytes = randomBytes(9 * 1024 * 1024 + 17);
const big = container.getBlockBlobClient("dir/big ü.bin");
await big.uploadData(bytes, { blockSize: 1024 * 1024, maxSingleShotSize: 1024 * 1024, concurrency: 4 });
result.blocks = sha(await big.downloadToBuffer(0, undefined, { blockSize: 700_000, concurrency: 4 })) === sha(bytes);
const streamed = container.getBlockBlobClient("dir/streamed");
await streamed.uploadStream(
  Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000, 3_000_000)]),
  1024 * 1024,
  3,
);
result.stream = sha(await streamed.downloadToBuffer()) === sha(bytes.subarray(0, 3_000_000));
result.blockList = (await streamed.getBlockList("all")).committedBlocks.map(({ size }) => size);
const range = await big.download(5, 10);
result.range = [range._response.status, range.contentLength, range.contentRange];

// Snapshots, copies in two ways, versions of content untouched by an overwrite.
const small = container.getBlockBlobClient("small.txt");
await small.upload("one", 3, { metadata: { foo_bar: "1", foo2: "2", Mixed: "Case" }, tags: { stage: "a b", n: "1" } });
const { snapshot } = await small.createSnapshot();
await small.upload("two two", 7);
result.snapshot = (await small.withSnapshot(snapshot).downloadToBuffer()).toString();
const copy = container.getBlockBlobClient("copy.txt");
result.copy = (await (await copy.beginCopyFromURL(small.withSnapshot(snapshot).url)).pollUntilDone()).copyStatus;
result.copied = [(await copy.downloadToBuffer()).toString(), (await copy.getProperties()).metadata];
result.syncCopy = (await container.getBlobClient("copy2.txt").syncCopyFromURL(small.url)).copyStatus;
result.snapshotsPresent = await failure(small.delete());
await small.delete({ deleteSnapshots: "include" });

// Leases.
const lease = copy.getBlobLeaseClient();
await lease.acquireLease(15);
result.leased = await failure(copy.upload("x", 1));
await copy.upload("mine", 4, { conditions: { leaseId: lease.leaseId } });
await lease.releaseLease();
result.condition = await failure(copy.upload("x", 1, { conditions: { ifNoneMatch: "*" } }));

// Signatures: over a blob, over the account; public access.
const expiresOn = new Date(Date.now() + 600_000);
const blobSas = generateBlobSASQueryParameters(
  {
    containerName: "newest",
    blobName: "copy.txt",
    permissions: BlobSASPermissions.parse("r"),
    expiresOn,
    contentType: "text/x-mine",
  },
  credential,
);
const signed = await fetch(`${copy.url}?${blobSas}`);
result.blobSas = [signed.status, await signed.text(), signed.headers.get("content-type")];
result.blobSasWrite = await failure(new BlobClient(`${copy.url}?${blobSas}`, new AnonymousCredential()).delete());
const accountSas = generateAccountSASQueryParameters(
  {
    expiresOn,
    permissions: AccountSASPermissions.parse("rwlc"),
    services: AccountSASServices.parse("b").toString(),
    resourceTypes: AccountSASResourceTypes.parse("sco").toString(),
  },
  credential,
);
const withSas = new ContainerClient(`${container.url}?${accountSas}`);
const names = [];
for await (const blob of withSas.listBlobsFlat()) {
  names.push(blob.name);
}
result.accountSas = names;
result.private = (await fetch(copy.url)).status;
await container.setAccessPolicy("blob");
result.public = (await fetch(copy.url)).status;

// Tags, by search and by condition.
await copy.setTags({ stage: "a b", owner: "ada" });
const found = [];
for await (const blob of service.findBlobsByTags("stage='a b' AND @container='newest'")) {
  found.push(blob.name, blob.tags);
}
result.tags = [(await copy.getTags()).tags, found];
result.tagCondition = await failure(copy.download(0, 1, { conditions: { tagConditions: "owner='bob'" } }));

// Batches.
const victims = ["b1", "b2", "b3"].map((name) => container.getBlockBlobClient(name));
await Promise.all(victims.map((victim) => victim.upload("x", 1)));
const batch = service.getBlobBatchClient();
const tiers = await batch.setBlobsAccessTier(
  victims.map(({ url }) => url),
  credential,
  "Cool",
);
result.tierBatch = [tiers.subResponsesSucceededCount, (await victims[0].getProperties()).accessTier];
const deletes = await batch.deleteBlobs([...victims.map(({ url }) => url), `${container.url}/none`], credential);
result.deleteBatch = deletes.subResponses.map(({ status, errorCode }) => [status, errorCode ?? ""].join(" ").trim());

// Append and page blobs.
const log = container.getAppendBlobClient("log");
await log.create();
await log.appendBlock("one ", 4);
await log.appendBlock("two", 3);
result.append = (await log.downloadToBuffer()).toString();
const disk = container.getPageBlobClient("disk");
await disk.create(4096);
await disk.uploadPages(Buffer.alloc(512, 1), 512, 512);
await disk.uploadPages(Buffer.alloc(1024, 2), 2048, 1024);
result.pages = (await disk.getPageRanges()).pageRange.map(({ offset, count }) => [offset, count]);
result.disk =
  sha(await disk.downloadToBuffer()) ===
  sha(
    Buffer.concat([
      Buffer.alloc(512),
      Buffer.alloc(512, 1),
      Buffer.alloc(1024),
      Buffer.alloc(1024, 2),
      Buffer.alloc(1024),
    ]),
  );

// Rows of a blob of text.
const table = container.getBlockBlobClient("table.csv");
const csv = "Name,People\nOslo,709000\nParis,2102650\n";
await table.upload(csv, csv.length);
const problems = [];
const rows = await table.query("SELECT Name, CAST(People AS INT) AS People FROM BlobStorage WHERE People > 1000000", {
  inputTextConfiguration: { kind: "csv", hasHeaders: true, recordSeparator: "\n" },
  outputTextConfiguration: { kind: "json", recordSeparator: "\n" },
  onError: (problem) => problems.push(problem),
});
result.query = [Buffer.concat(await rows.readableStreamBody.toArray()).toString(), problems];
await table.delete();

// The service.
await service.setProperties({
  cors: [
    {
      allowedOrigins: "https://a.example",
      allowedMethods: "GET",
      allowedHeaders: "*",
      exposedHeaders: "",
      maxAgeInSeconds: 5,
    },
  ],
});
result.cors = (await service.getProperties()).cors.map(({ allowedOrigins }) => allowedOrigins);
const crossOrigin = await fetch(copy.url, { headers: { origin: "https://a.example" } });
result.corsAnswer = crossOrigin.headers.get("access-control-allow-origin");
await service.setProperties({ cors: [] });
result.account = (await service.getAccountInfo()).accountKind;

// Listings in pages, with a delimiter.
const pages = [];
for await (const page of container.listBlobsByHierarchy("/").byPage({ maxPageSize: 3 })) {
  pages.push([...(page.segment.blobPrefixes ?? []), ...page.segment.blobItems].map(({ name }) => name));
}
result.pagesListed = pages;
await container.delete();
result.gone = await failure(copy.getProperties());
answer(result);
