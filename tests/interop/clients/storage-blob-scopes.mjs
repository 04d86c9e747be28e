// @azure/storage-blob, newest: blobs that are encrypted with scopes, named by requests, containers and signatures.
import {
  BlobSASPermissions,
  BlobServiceClient,
  BlockBlobClient,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { answer, readInput } from "./exchange.mjs";

const { endpoint, account, keys, text } = await readInput();
const service = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(account, keys[0]));
const failure = (promise) =>
  promise.then(
    () => "none",
    (error) => `${error.statusCode} ${error.details?.errorCode ?? error.code}`,
  );
const [a, b] = [{ encryptionScope: "tenant-a" }, { encryptionScope: "tenant-b" }];
const result = {};

const shut = service.getContainerClient("scoped");
await shut.create({
  containerEncryptionScope: { defaultEncryptionScope: "tenant-a", preventEncryptionScopeOverride: true },
});
const { defaultEncryptionScope, denyEncryptionScopeOverride } = await shut.getProperties();
result.container = [defaultEncryptionScope, denyEncryptionScopeOverride];
const usual = shut.getBlockBlobClient("usual");
result.usual = (await usual.upload(text, text.length, { metadata: { a: text } })).encryptionScope;
result.refused = await failure(usual.upload(text, text.length, b));
result.read = (await usual.downloadToBuffer()).toString() === text;

const open = service.getContainerClient("unscoped");
await open.create();
const named = open.getBlockBlobClient("named");
const bytes = Buffer.from(text.repeat(200_000));
await named.uploadData(bytes, { blockSize: 1_000_000, maxSingleShotSize: 1_000_000, ...a });
result.named = (await named.downloadToBuffer()).equals(bytes);
result.changes = [
  await failure(named.createSnapshot()),
  await failure(named.createSnapshot(b)),
  await failure(named.createSnapshot(a)),
];
await open.getBlockBlobClient("copied").syncCopyFromURL(usual.url, b);
result.copied = (await open.getBlockBlobClient("copied").downloadToBuffer()).toString() === text;

const url = await open.getBlockBlobClient("signed").generateSasUrl({
  permissions: BlobSASPermissions.parse("rcw"),
  expiresOn: new Date(Date.now() + 3_600_000),
  ...b,
});
const signed = new BlockBlobClient(url);
result.signed = (await signed.upload(text, text.length)).encryptionScope;

const listed = [];
for (const container of [shut, open]) {
  for await (const { name, properties, metadata } of container.listBlobsFlat({ includeMetadata: true })) {
    listed.push([name, properties.encryptionScope, metadata?.a === text]);
  }
}
answer({ ...result, listed });
