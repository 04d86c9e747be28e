import { type BlobExtras } from "../blobs/blob-extras.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type BlobType } from "../metadata/tables.ts";
import { type RequestHeaders } from "../request/request-headers.ts";

const BLOCK_BLOB_TIERS: readonly string[] = ["Hot", "Cool", "Cold", "Archive"];
const PAGE_BLOB_TIERS: readonly string[] = ["P4", "P6", "P10", "P15", "P20", "P30", "P40", "P50", "P60", "P70", "P80"];

/** The tier of a block blob that nobody has set. */
export const DEFAULT_TIER = "Hot";

/**
 * `~access-tier` of a request, in the form that answers give. How urgent bringing back is has to be a known word, though
 * it is done at once.
 *
 * @throws StorageError `InvalidHeaderValue`
 */
export function readTier(headers: RequestHeaders): string | undefined {
  const priority = headers.findOwn("rehydrate-priority") ?? "";
  if (!/^(?:high|standard)?$/iu.test(priority)) {
    throw invalidHeader(`${headers.family}rehydrate-priority`, priority);
  }
  const value = headers.findOwn("access-tier");
  if (value === undefined || value === "") {
    return undefined;
  }
  const tier = [...BLOCK_BLOB_TIERS, ...PAGE_BLOB_TIERS].find((name) => name.toLowerCase() === value.toLowerCase());
  if (tier === undefined) {
    throw invalidHeader(`${headers.family}access-tier`, value);
  }
  return tier;
}

/** The tier that an upload sets, as the row keeps it. @throws StorageError as {@link checkTierOfType} */
export function uploadTier(
  headers: RequestHeaders,
  type: BlobType,
  nowMs: number,
): Pick<BlobExtras, "tier" | "tierChangedMs"> {
  const tier = readTier(headers);
  if (tier === undefined) {
    return {};
  }
  checkTierOfType(tier, type);
  return { tier, tierChangedMs: nowMs };
}

/** @throws StorageError `InvalidBlobTier` for one that blobs of this type don't have, `InvalidBlobType` if they have none */
export function checkTierOfType(tier: string, type: BlobType): void {
  const fits =
    type === "BlockBlob" ? BLOCK_BLOB_TIERS.includes(tier) : type === "PageBlob" && PAGE_BLOB_TIERS.includes(tier);
  if (!fits) {
    throw new StorageError(type === "AppendBlob" ? "InvalidBlobType" : "InvalidBlobTier");
  }
}
