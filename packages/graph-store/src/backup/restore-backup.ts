import { DirectoryFiles, type StoreFiles } from "../log/store-files.ts";
import { StoreCorruptionError, StoreError } from "../errors.ts";
import { checkpointEpoch, logNumber } from "../log/segment-names.ts";
import { recoverStore } from "../recovery/recover.ts";
import { readManifest } from "./backup-manifest.ts";
import { copyFile } from "./copy-store.ts";

export interface RestoreReport {
  /** How many commits the store has; fewer than the backup when it ends earlier. */
  readonly commits: number;
  readonly nodes: number;
  readonly relationships: number;
}

/**
 * Makes a store of a backup in a folder that holds none, and reads it once to be sure.
 *
 * @param untilMs  leaves out what was committed later, as far back as the backup's checkpoint
 * @throws StoreError            for a folder without a whole backup, and a target with a store in it
 * @throws StoreCorruptionError  when a file of the backup is not what was written
 */
export function restoreBackup(from: string, to: string, untilMs?: number): Promise<RestoreReport> {
  return restoreFiles(new DirectoryFiles(from), new DirectoryFiles(to), untilMs);
}

/** The same on any files. */
export async function restoreFiles(source: StoreFiles, target: StoreFiles, untilMs?: number): Promise<RestoreReport> {
  const manifest = await readManifest(source);
  await checkNoStore(target);
  for (const { name, bytes, crc32c } of manifest.files) {
    const copy = await copyFile(source, target, name);
    if (copy.bytes !== bytes || copy.crc32c !== crc32c) {
      throw new StoreCorruptionError(`'${name}' of the backup in '${source.directory}' is damaged.`);
    }
  }
  await target.syncNames();
  const { base, epoch, log } = await recoverStore(target, untilMs);
  await log.file.close();
  return { commits: epoch, nodes: base.nodes.count, relationships: base.relationshipCounts.count };
}

/** Other files (the lock of who restores) may be there. */
async function checkNoStore(target: StoreFiles): Promise<void> {
  const names = await target.names();
  if (names.some((name) => checkpointEpoch(name) !== undefined || logNumber(name) !== undefined)) {
    throw new StoreError(
      "ClientError.Statement.InvalidArguments",
      `'${target.directory}' holds a graph already: move it away first.`,
    );
  }
}
