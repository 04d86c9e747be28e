import { blobOf, requireContainer } from "../blobs/blob-address.ts";
import { type BlobName } from "../blobs/blob-statements.ts";
import { first, type Steps } from "../metadata/steps.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { quotaError } from "./account-quota.ts";
import { findQuota, measureBlob, measureStagedBlocksOfName } from "./quota-statements.ts";

/** What the received bytes become, which says what may go for them; pages lie in a blob that is counted whole. */
export type Addition = "blob" | "staged block" | "appended block" | "pages";

/**
 * Refuses bytes that an account's quota has no room for, before they are received. What they may replace is taken off
 * even if it is going to be kept: the change itself is judged when it is made, for good.
 *
 * @throws StorageError `InsufficientStorage`
 */
export function requireRoom(request: StorageRequest, addition: Addition, bytes: number, services: Services): void {
  const { id: accountId, quotaBytes } = request.account;
  if (quotaBytes === undefined || addition === "pages") {
    return;
  }
  const { metadata } = services;
  const quota = metadata.read(first(findQuota, { accountId }));
  if (quota === undefined || quota.used_bytes + bytes <= quota.quota_bytes) {
    return;
  }
  const place = { containerId: requireContainer(request, services).container_id, name: blobOf(request) };
  const replaced = metadata.read(measureReplaced(place, addition));
  if (quota.used_bytes + bytes - replaced > quota.quota_bytes) {
    throw quotaError(quota.quota_bytes);
  }
}

function* measureReplaced(place: BlobName, addition: Addition): Steps<number> {
  const blob = addition === "blob" ? yield* first(measureBlob, place) : undefined;
  const staged = addition === "appended block" ? undefined : yield* first(measureStagedBlocksOfName, place);
  return (blob?.bytes ?? 0) + (staged?.bytes ?? 0);
}
