// @azure/storage-blob, newest: bodies in segments with checksums, which the client makes and verifies.
import { randomBytes } from "node:crypto";
import { BlobServiceClient } from "@azure/storage-blob";
import { answer, readInput } from "./exchange.mjs";

const { connectionString } = await readInput();
const container = BlobServiceClient.fromConnectionString(connectionString).getContainerClient("checked");
await container.create();
const checked = { contentChecksumAlgorithm: "StorageCrc64" };
const gathered = async (stream) => Buffer.concat(await stream.toArray());
const result = {};

const bytes = randomBytes(9 * 1024 * 1024 + 17);
const large = container.getBlockBlobClient("large");
const uploaded = await large.upload(bytes, bytes.length, checked);
const download = await large.download(0, undefined, checked);
result.upload = uploaded.structuredBodyType;
result.download = [
  download.structuredBodyType === uploaded.structuredBodyType,
  (await gathered(download.readableStreamBody)).equals(bytes),
];
const range = await large.download(4_000_000, 1_000_000, checked);
result.range = (await gathered(range.readableStreamBody)).equals(bytes.subarray(4_000_000, 5_000_000));

const parallel = container.getBlockBlobClient("parallel");
await parallel.uploadData(bytes, { ...checked, blockSize: 1024 * 1024, maxSingleShotSize: 1024 * 1024 });
result.blocks = (await parallel.downloadToBuffer(0, undefined, { ...checked, blockSize: 700_000 })).equals(bytes);

const empty = container.getBlockBlobClient("empty");
await empty.upload("", 0);
result.empty = (await gathered((await empty.download(0, undefined, checked)).readableStreamBody)).length;

const log = container.getAppendBlobClient("log");
await log.create();
await log.appendBlock("one two", 7, checked);
result.append = (await log.downloadToBuffer()).toString();

const disk = container.getPageBlobClient("disk");
await disk.create(1024);
await disk.uploadPages(bytes.subarray(0, 512), 512, 512, checked);
result.pages = (await disk.downloadToBuffer()).subarray(512).equals(bytes.subarray(0, 512));
answer(result);
