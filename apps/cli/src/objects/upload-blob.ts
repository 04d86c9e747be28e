import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { CommandFailure } from "../command-failure.ts";
import type { BlobAccess } from "./blob-access.ts";
import { type BlobAddress, pathOf } from "./blob-address.ts";

export interface UploadOptions {
  /** Headers of the blob: type, metadata, tier, conditions. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Told how many bytes the server has taken. */
  readonly onProgress: (bytes: number) => void;
}

export interface Uploaded {
  readonly bytes: number;
  readonly md5: string;
  readonly etag: string;
}

const MIB = 1024 * 1024;
/** Up to here one request; above, blocks, several at once. */
const SINGLE_LIMIT_BYTES = 32 * MIB;
const BLOCK_BYTES = 8 * MIB;
const BLOCK_LIMIT = 50_000;
const PARALLEL_BLOCKS = 4;

/** Sends a file. What arrived is compared with what was read by its MD5; a difference removes nothing and is an error. */
export async function uploadFile(
  access: BlobAccess,
  address: BlobAddress,
  file: string,
  options: UploadOptions,
): Promise<Uploaded> {
  const { size } = await stat(file);
  if (size <= SINGLE_LIMIT_BYTES) {
    return uploadAtOnce(access, address, file, size, options);
  }
  const blockBytes = Math.max(BLOCK_BYTES, Math.ceil(size / BLOCK_LIMIT / MIB) * MIB);
  return uploadBlocks(access, address, readBlocks(file, size, blockBytes), options);
}

/** Sends what comes on a stream, whose length nobody knows yet, as blocks. */
export function uploadStream(
  access: BlobAccess,
  address: BlobAddress,
  stream: Readable,
  options: UploadOptions,
): Promise<Uploaded> {
  return uploadBlocks(access, address, cutBlocks(stream), options);
}

async function uploadAtOnce(
  access: BlobAccess,
  address: BlobAddress,
  file: string,
  size: number,
  { headers, onProgress }: UploadOptions,
): Promise<Uploaded> {
  const hash = createHash("md5");
  let bytes = 0;
  // A generator reads nothing before it is asked to: the connection may not be there yet.
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const part of createReadStream(file)) {
      hash.update(part as Buffer);
      bytes += (part as Buffer).length;
      onProgress(bytes);
      yield part as Buffer;
    }
  }
  const { answer } = await access.read({
    method: "PUT",
    path: pathOf(address),
    headers: { ...headers, "x-ms-blob-type": "BlockBlob", "content-length": String(size) },
    body: Readable.from(counted(), { objectMode: false }),
  });
  const md5 = hash.digest("base64");
  const received = answer.headers["content-md5"];
  if (received !== undefined && received !== md5) {
    throw new CommandFailure("what the server stored is not what was read: the file changed during the upload");
  }
  return { bytes, md5, etag: answer.headers.etag ?? "" };
}

async function uploadBlocks(
  access: BlobAccess,
  address: BlobAddress,
  blocks: AsyncIterable<Buffer>,
  { headers, onProgress }: UploadOptions,
): Promise<Uploaded> {
  const whole = createHash("md5");
  const ids: string[] = [];
  const running = new Set<Promise<void>>();
  let sent = 0;
  for await (const block of blocks) {
    whole.update(block);
    const id = Buffer.from(String(ids.length).padStart(6, "0")).toString("base64");
    ids.push(id);
    const sending = stage(access, address, id, block).then(() => {
      sent += block.length;
      onProgress(sent);
    });
    running.add(sending);
    void sending.then(
      () => running.delete(sending),
      () => undefined,
    );
    if (running.size >= PARALLEL_BLOCKS) {
      await Promise.race(running);
    }
  }
  await Promise.all(running);
  const md5 = whole.digest("base64");
  const list = ids.map((id) => `<Latest>${id}</Latest>`).join("");
  const { answer } = await access.read({
    method: "PUT",
    path: pathOf(address),
    query: { comp: "blocklist" },
    headers: { ...headers, "x-ms-blob-content-md5": md5 },
    body: Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`),
  });
  return { bytes: sent, md5, etag: answer.headers.etag ?? "" };
}

async function stage(access: BlobAccess, address: BlobAddress, id: string, block: Buffer): Promise<void> {
  const hash = createHash("md5").update(block);
  await access.read({
    method: "PUT",
    path: pathOf(address),
    query: { comp: "block", blockid: id },
    headers: { "content-md5": hash.digest("base64") },
    body: block,
  });
}

async function* readBlocks(file: string, size: number, blockBytes: number): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    for (let position = 0; position < size; position += blockBytes) {
      const block = Buffer.allocUnsafe(Math.min(blockBytes, size - position));
      const { bytesRead } = await handle.read(block, 0, block.length, position);
      if (bytesRead !== block.length) {
        throw new CommandFailure("the file became shorter during the upload");
      }
      yield block;
    }
  } finally {
    await handle.close();
  }
}

async function* cutBlocks(stream: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part as Buffer);
    length += (part as Buffer).length;
    if (length >= BLOCK_BYTES) {
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
    }
  }
  if (length > 0) {
    yield Buffer.concat(parts);
  }
}
