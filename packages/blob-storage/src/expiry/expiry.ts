import { type BlobProperties } from "../blobs/blob-statements.ts";

/** Whether a blob's time has come (Set Blob Expiry): it isn't there any more, though its row may still be. */
export function isExpired(
  { deleted_ms, purge_ms }: Pick<BlobProperties, "deleted_ms" | "purge_ms">,
  nowMs: number,
): boolean {
  return deleted_ms === null && purge_ms !== null && purge_ms <= nowMs;
}
