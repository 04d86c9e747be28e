// @azure/storage-blob: a container's and a blob's whole life.
import { BlobServiceClient } from "@azure/storage-blob";
import { answer, readInput } from "./exchange.mjs";

const { connectionString } = await readInput();
const service = BlobServiceClient.fromConnectionString(connectionString);
const container = service.getContainerClient("interop");
await container.create({ metadata: { made_by: "interop" } });

const text = "Grüße, 世界 ".repeat(5_000);
const blob = container.getBlockBlobClient("folder/ä b+c.txt");
await blob.upload(text, Buffer.byteLength(text), {
  blobHTTPHeaders: { blobContentType: "text/plain; charset=utf-8" },
  metadata: { foo_bar: "1", foo2: "2" },
});
await container.getBlockBlobClient("empty").upload("", 0);

const whole = (await blob.downloadToBuffer()).toString();
const range = (await blob.downloadToBuffer(7, 9)).toString("hex");
const properties = await blob.getProperties();
const listed = [];
for await (const item of container.listBlobsFlat({ includeMetadata: true })) {
  listed.push({ name: item.name, metadata: item.metadata || {} });
}
const prefixes = [];
for await (const item of container.listBlobsByHierarchy("/")) {
  prefixes.push(`${item.kind}:${item.name}`);
}
const containers = [];
for await (const item of service.listContainers({ prefix: "inter" })) {
  containers.push(item.name);
}
const existed = await blob.deleteIfExists();
const missing = await blob
  .getProperties()
  .catch((error) => ({ status: error.statusCode, code: error.details?.errorCode }));
await container.delete();

answer({
  same: whole === text,
  range: range === Buffer.from(text).subarray(7, 16).toString("hex"),
  contentType: properties.contentType,
  metadata: properties.metadata,
  listed,
  prefixes,
  containers,
  existed: existed.succeeded,
  missing,
});
