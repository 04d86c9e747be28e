// @azure/storage-blob 12.0.0: the first release of the present interface.
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "storage-blob-12.0.0";
import { answer, readInput } from "./exchange.mjs";

const { endpoint, account, keys } = await readInput();
const credential = new StorageSharedKeyCredential(account, keys[1]);
const service = new BlobServiceClient(endpoint, credential);
const container = service.getContainerClient("first12");
await container.create();
const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");
const failure = (promise) =>
  promise.then(
    () => "none",
    (error) => `${error.statusCode} ${error.details?.errorCode ?? error.code}`,
  );
const read = async (client, ...range) => {
  const chunks = [];
  for await (const chunk of (await client.download(...range)).readableStreamBody) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const bytes = randomBytes(2_500_000);
const big = container.getBlockBlobClient("a/big");
await big.uploadStream(Readable.from([bytes]), 1024 * 1024, 2);
const result = {
  stream: sha(await read(big)) === sha(bytes),
  range: sha(await read(big, 10, 20)) === sha(bytes.subarray(10, 30)),
};
const small = container.getBlockBlobClient("small");
await small.upload("hello", 5, { metadata: { foo_bar: "1", a1: "2", a_1: "3" } });
result.metadata = (await small.getProperties()).metadata;
const { snapshot } = await small.createSnapshot();
await small.upload("changed", 7);
result.snapshot = (await read(small.withSnapshot(snapshot))).toString();
const copy = container.getBlobClient("copy");
await (await copy.beginCopyFromURL(small.url)).pollUntilDone();
result.copy = (await read(copy)).toString();
const lease = small.getBlobLeaseClient();
await lease.acquireLease(-1);
result.leased = await failure(small.delete({ deleteSnapshots: "include" }));
await lease.breakLease(0);
const sas = generateBlobSASQueryParameters(
  {
    containerName: "first12",
    blobName: "small",
    permissions: BlobSASPermissions.parse("r"),
    expiresOn: new Date(Date.now() + 60_000),
  },
  credential,
);
result.sas = await (await fetch(`${small.url}?${sas}`)).text();
result.listed = [];
for await (const item of container.listBlobsByHierarchy("/")) {
  result.listed.push(`${item.kind}:${item.name}`);
}
await small.delete({ deleteSnapshots: "include" });
result.gone = await failure(small.getProperties());
await container.delete();
answer(result);
