// @azure/storage-blob 10.5.0: the interface of URLs and aborters before version 12.
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  Aborter,
  BlobURL,
  BlockBlobURL,
  ContainerURL,
  downloadBlobToBuffer,
  ServiceURL,
  SharedKeyCredential,
  StorageURL,
  uploadStreamToBlockBlob,
} from "storage-blob-10.5.0";
import { answer, readInput } from "./exchange.mjs";

const { endpoint, account, keys } = await readInput();
const pipeline = StorageURL.newPipeline(new SharedKeyCredential(account, keys[0]));
const service = new ServiceURL(endpoint, pipeline);
const container = ContainerURL.fromServiceURL(service, "version10");
const none = Aborter.none;
await container.create(none, { metadata: { a_b: "1" } });
const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");
const failure = (promise) =>
  promise.then(
    () => "none",
    (error) => `${error.statusCode} ${error.body?.Code ?? error.code}`,
  );

const bytes = randomBytes(2_500_000);
const big = BlockBlobURL.fromContainerURL(container, "a/big");
await uploadStreamToBlockBlob(none, Readable.from([bytes]), big, 1024 * 1024, 2);
const target = Buffer.alloc(bytes.length);
await downloadBlobToBuffer(none, target, big, 0, undefined, { blockSize: 600_000, parallelism: 3 });
const result = { stream: sha(target) === sha(bytes) };
const part = Buffer.alloc(20);
await downloadBlobToBuffer(none, part, big, 10, 20);
result.range = part.equals(bytes.subarray(10, 30));
const small = BlockBlobURL.fromContainerURL(container, "small");
await small.upload(none, "hello", 5, { metadata: { foo_bar: "1", foo2: "2" } });
result.metadata = (await small.getProperties(none)).metadata;
const { snapshot } = await small.createSnapshot(none);
await small.upload(none, "changed", 7);
const old = await BlobURL.fromContainerURL(container, "small").withSnapshot(snapshot).download(none, 0);
result.snapshot = (await old.readableStreamBody.setEncoding("utf8").toArray()).join("");
result.copy = (await BlobURL.fromContainerURL(container, "copy").startCopyFromURL(none, small.url)).copyStatus;
const { leaseId } = await small.acquireLease(none, "", 30);
result.leased = await failure(small.setMetadata(none, { x: "y" }));
await small.releaseLease(none, leaseId);
result.listed = (await container.listBlobHierarchySegment(none, "/")).segment.blobItems.map(({ name }) => name);
await small.delete(none, { deleteSnapshots: "include" });
result.gone = await failure(small.setMetadata(none, { x: "y" }));
await container.delete(none);
answer(result);
