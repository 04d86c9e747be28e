// azure-storage 2.10.7: the library before the SDK, with callbacks and version 2018-03-28.
import { createHash, randomBytes } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import azure from "azure-storage";
import { answer, readInput } from "./exchange.mjs";

const { connectionString } = await readInput();
const blobs = azure.createBlobService(connectionString);
const call = (method, ...values) => promisify(blobs[method].bind(blobs))(...values);
const failure = (promise) =>
  promise.then(
    () => "none",
    (error) => `${error.statusCode} ${error.code}`,
  );
const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");
const read = async (name, options = {}) => {
  const chunks = [];
  const target = new Writable({ write: (chunk, _encoding, done) => (chunks.push(chunk), done()) });
  await call("getBlobToStream", "legacy", name, target, options);
  return Buffer.concat(chunks);
};

await call("createContainerIfNotExists", "legacy", { metadata: { made_by: "interop" } });
await call("createContainerIfNotExists", "legacy");
const bytes = randomBytes(9 * 1024 * 1024);
blobs.singleBlobPutThresholdInBytes = 1024 * 1024;
await call("createBlockBlobFromStream", "legacy", "dir/big", Readable.from([bytes]), bytes.length, {
  blockSize: 1024 * 1024,
});
const result = { stream: sha(await read("dir/big")) === sha(bytes) };
result.range = sha(await read("dir/big", { rangeStart: 10, rangeEnd: 29 })) === sha(bytes.subarray(10, 30));
await call("createBlockBlobFromText", "legacy", "small ü", "hello", {
  contentSettings: { contentType: "text/plain", contentLanguage: "de", contentEncoding: "identity" },
  metadata: { foo_bar: "1", foo2: "2" },
});
const properties = await call("getBlobProperties", "legacy", "small ü");
result.properties = [
  properties.contentSettings.contentType,
  properties.contentSettings.contentLanguage,
  properties.metadata,
];
const snapshot = await call("createBlobSnapshot", "legacy", "small ü");
await call("createBlockBlobFromText", "legacy", "small ü", "changed");
result.snapshot = (await read("small ü", { snapshotId: snapshot })).toString();
const copied = await call("startCopyBlob", blobs.getUrl("legacy", "small ü"), "legacy", "copy");
result.copy = [copied.copy.status, (await read("copy")).toString()];
const lease = await call("acquireLease", "legacy", "copy", { leaseDuration: 15 });
result.leased = await failure(call("setBlobMetadata", "legacy", "copy", { a: "b" }));
await call("releaseLease", "legacy", "copy", lease.id);
const policy = { AccessPolicy: { Permissions: "r", Expiry: new Date(Date.now() + 60_000) } };
const sas = blobs.generateSharedAccessSignature("legacy", "copy", policy);
result.sas = await (await fetch(blobs.getUrl("legacy", "copy", sas))).text();
await call("createAppendBlobFromText", "legacy", "log", "one ");
await call("appendFromText", "legacy", "log", "two");
result.append = (await read("log")).toString();
result.listed = (await call("listBlobsSegmented", "legacy", null)).entries.map(({ name }) => name);
const service = await call("getServiceProperties");
result.service = service.Logging.Version;
result.withSnapshot = await failure(call("deleteBlob", "legacy", "small ü"));
await call("deleteBlob", "legacy", "small ü", { deleteSnapshots: "include" });
result.exists = (await call("doesBlobExist", "legacy", "small ü")).exists;
await call("deleteContainer", "legacy");
answer(result);
