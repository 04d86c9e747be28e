import { Buffer } from "node:buffer";
import { StoreError } from "../errors.ts";
import { type CommitLog } from "../log/commit-log.ts";
import { crc32c } from "../log/crc32c.ts";
import { checkpointEpoch, logName, logNumber } from "../log/segment-names.ts";
import { type StoreFiles } from "../log/store-files.ts";
import { type BackupReport, writeManifest } from "./backup-manifest.ts";

const CHUNK_BYTES = 1 << 20;

/**
 * Copies the newest checkpoint and all logs, the present one as far as it is on the disk. No checkpoint may be made
 * meanwhile; commits go on behind what is copied.
 *
 * @throws StoreError  when there is something in the target already
 */
export async function copyStore(
  source: StoreFiles,
  log: CommitLog,
  target: StoreFiles,
  timeMs: number,
): Promise<BackupReport> {
  await checkEmpty(target);
  const { number, bytes, epoch } = log.position;
  const names = await source.names();
  const newest = names.findLast((name) => checkpointEpoch(name) !== undefined);
  const logs = names.filter((name) => (logNumber(name) ?? number + 1) <= number);
  const files: { name: string; bytes: number; crc32c: number }[] = [];
  for (const name of [...(newest === undefined ? [] : [newest]), ...logs]) {
    files.push(await copyFile(source, target, name, name === logName(number) ? bytes : undefined));
  }
  await writeManifest(target, { epoch, timeMs, files });
  return { files: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0), timeMs };
}

/** @throws StoreError  for a folder that is not empty */
export async function checkEmpty(target: StoreFiles): Promise<void> {
  const names = await target.names();
  if (names.length > 0) {
    throw new StoreError(
      "ClientError.Statement.InvalidArguments",
      `'${target.directory}' is not empty: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`,
    );
  }
}

/** @param limit  bytes to copy; all when not said */
export async function copyFile(
  source: StoreFiles,
  target: StoreFiles,
  name: string,
  limit?: number,
): Promise<{ name: string; bytes: number; crc32c: number }> {
  const from = await source.open(name);
  const to = await target.create(name);
  try {
    const size = limit ?? from.size;
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
    let crc = 0;
    for (let at = 0; at < size; at += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, size - at));
      await from.read(part, at);
      await to.write(part, at);
      crc = crc32c(part, crc);
    }
    await to.sync();
    return { name, bytes: size, crc32c: crc };
  } finally {
    await from.close();
    await to.close();
  }
}
