import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Transform, type TransformCallback, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandFailure } from "../command-failure.ts";

export interface DownloadOptions {
  /** Told how many bytes came, of how many. */
  readonly onProgress: (bytes: number, total: number) => void;
}

export interface Downloaded {
  readonly bytes: number;
  readonly md5: string;
}

/** Writes a blob to a file, which has its name only when all of it came and its MD5 is the one that was stored. */
export async function downloadToFile(
  answer: IncomingMessage,
  file: string,
  options: DownloadOptions,
): Promise<Downloaded> {
  const unfinished = `${file}.part-${process.pid}`;
  try {
    const downloaded = await download(answer, createWriteStream(unfinished), options);
    await rename(unfinished, file);
    return downloaded;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Writes a blob to a stream. */
export async function download(
  answer: IncomingMessage,
  target: Writable,
  { onProgress }: DownloadOptions,
): Promise<Downloaded> {
  const total = Number(answer.headers["content-length"] ?? 0);
  const hash = createHash("md5");
  let bytes = 0;
  const counting = new Transform({
    transform(part: Buffer, _encoding, done: TransformCallback) {
      hash.update(part);
      bytes += part.length;
      onProgress(bytes, total);
      done(null, part);
    },
  });
  await pipeline(answer, counting, target, { end: target !== process.stdout });
  const md5 = hash.digest("base64");
  const stored = answer.headers["content-md5"];
  if (bytes !== total || (stored !== undefined && stored !== md5)) {
    throw new CommandFailure("what came is not what was stored: its checksum differs");
  }
  return { bytes, md5 };
}
