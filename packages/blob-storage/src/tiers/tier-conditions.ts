import { type BlobExtras } from "../blobs/blob-extras.ts";
import { readDate } from "../conditions/read-conditions.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";

/** When a blob's tier has to have been changed last. */
export interface TierConditions {
  readonly changedSinceMs: number | undefined;
  readonly unchangedSinceMs: number | undefined;
}

/** `~access-tier-if-modified-since` and `~access-tier-if-unmodified-since` (storage, appendix A, blob.delete). */
export function readTierConditions(headers: RequestHeaders): TierConditions {
  return {
    changedSinceMs: readDate(headers, `${headers.family}access-tier-if-modified-since`),
    unchangedSinceMs: readDate(headers, `${headers.family}access-tier-if-unmodified-since`),
  };
}

/** A tier that was never set is as old as its blob. @throws StorageError `ConditionNotMet` */
export function checkTierConditions(
  { changedSinceMs, unchangedSinceMs }: TierConditions,
  { tierChangedMs }: BlobExtras,
  createdMs: number,
): void {
  const changedMs = Math.floor((tierChangedMs ?? createdMs) / 1000) * 1000;
  const isTooOld = changedSinceMs !== undefined && changedMs <= changedSinceMs;
  if (isTooOld || (unchangedSinceMs !== undefined && changedMs > unchangedSinceMs)) {
    throw new StorageError("ConditionNotMet");
  }
}
