import { Buffer } from "node:buffer";
import { StoreError } from "../errors.ts";
import { readWhole, type StoreFiles } from "../log/store-files.ts";

/** The file that is written last: a folder without it is no backup, or one that was cut short. */
export const MANIFEST_NAME = "backup.json";

/** What a backup consists of. */
export interface BackupManifest {
  /** The last commit in it. */
  readonly epoch: number;
  /** When it was made, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly timeMs: number;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly crc32c: number }[];
}

/** What whoever asked for a backup is told. */
export interface BackupReport {
  readonly files: number;
  readonly bytes: number;
  readonly timeMs: number;
}

export async function writeManifest(files: StoreFiles, manifest: BackupManifest): Promise<void> {
  const file = await files.create(MANIFEST_NAME);
  try {
    await file.write(Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.syncNames();
}

/** @throws StoreError  when the folder holds no whole backup */
export async function readManifest(files: StoreFiles): Promise<BackupManifest> {
  const names = await files.names();
  if (!names.includes(MANIFEST_NAME)) {
    throw new StoreError(
      "ClientError.Statement.InvalidArguments",
      `'${files.directory}' holds no backup, or one that was not finished: ${MANIFEST_NAME} is missing.`,
    );
  }
  const text = await readWhole(files, MANIFEST_NAME, (size) => Buffer.alloc(size));
  return JSON.parse(text.toString()) as BackupManifest;
}
