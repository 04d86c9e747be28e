// @azure/storage-blob, newest: blobs that are encrypted with keys of the client's own, over https.
import { createHash, randomBytes } from "node:crypto";
import { BlobServiceClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { answer, readInput } from "./exchange.mjs";

const { endpoint, account, keys, text, openText } = await readInput();
const service = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(account, keys[0]));
const container = service.getContainerClient("keyed");
await container.create();
const failure = (promise) =>
  promise.then(
    () => "none",
    (error) => `${error.statusCode} ${error.details?.errorCode ?? error.code}`,
  );
const keyOf = (bytes) => ({
  encryptionKey: bytes.toString("base64"),
  encryptionKeySha256: createHash("sha256").update(bytes).digest("base64"),
});
const [key, other] = [keyOf(randomBytes(32)), keyOf(randomBytes(32))];
const [keyed, otherwise] = [{ customerProvidedKey: key }, { customerProvidedKey: other }];
const sha256 = key.encryptionKeySha256;
const result = {};

const small = container.getBlockBlobClient("small");
const uploaded = await small.upload(text, text.length, { ...keyed, metadata: { a: text } });
const properties = await small.getProperties(keyed);
result.upload = [uploaded.isServerEncrypted, uploaded.encryptionKeySha256 === sha256];
result.properties = [properties.metadata.a === text, properties.encryptionKeySha256 === sha256];
result.exists = await small.exists();
result.refused = [
  await failure(small.downloadToBuffer()),
  await failure(small.downloadToBuffer(0, undefined, otherwise)),
  await failure(small.getProperties()),
];

const bytes = Buffer.from(text.repeat(200_000));
const large = container.getBlockBlobClient("large");
const ids = [];
for (let start = 0; start < bytes.length; start += 3_000_000) {
  ids.push(Buffer.from(String(start).padStart(10, "0")).toString("base64"));
  const block = bytes.subarray(start, start + 3_000_000);
  await large.stageBlock(ids.at(-1), block, block.length, keyed);
}
await large.commitBlockList(ids, keyed);
const read = await large.downloadToBuffer(0, undefined, { ...keyed, blockSize: 700_000, concurrency: 4 });
result.blocks = read.equals(bytes);
await large.setMetadata({ b: "2" }, keyed);
const { snapshot } = await large.createSnapshot(keyed);
const part = await large.withSnapshot(snapshot).downloadToBuffer(1_000_001, 99, keyed);
result.snapshot = part.equals(bytes.subarray(1_000_001, 1_000_100));

const log = container.getAppendBlobClient("log");
await log.create(keyed);
await log.appendBlock(text, text.length, keyed);
await log.appendBlock(text, text.length, keyed);
result.append = (await log.downloadToBuffer(0, undefined, keyed)).toString() === text + text;

const disk = container.getPageBlobClient("disk");
await disk.create(2048, keyed);
await disk.uploadPages(bytes.subarray(0, 512), 512, 512, keyed);
const pages = await disk.downloadToBuffer(0, undefined, keyed);
result.pages = pages.equals(Buffer.concat([Buffer.alloc(512), bytes.subarray(0, 512), Buffer.alloc(1024)]));

const open = container.getBlockBlobClient("open");
await open.upload(openText, openText.length);
const rotated = container.getBlockBlobClient("rotated");
await rotated.syncUploadFromURL(open.url, otherwise);
result.rotated = (await rotated.downloadToBuffer(0, undefined, otherwise)).toString() === openText;

result.listed = [];
for await (const { name, properties: listed } of container.listBlobsFlat({ includeMetadata: true })) {
  result.listed.push([name, listed.customerProvidedKeySha256 === sha256]);
}
answer(result);
