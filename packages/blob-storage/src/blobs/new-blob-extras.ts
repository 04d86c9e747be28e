import { readImmutability } from "../immutability/read-immutability.ts";
import { type BlobType } from "../metadata/tables.ts";
import { type OperationCall } from "../operations/operation.ts";
import { uploadTier } from "../tiers/tier-names.ts";
import { type BlobExtras } from "./blob-extras.ts";

/** What a request says of the blob that it makes, beside its content headers. @throws StorageError */
export function readNewExtras({ request: { headers, nowMs }, contentKey }: OperationCall, type: BlobType): BlobExtras {
  return { ...uploadTier(headers, type, nowMs), ...readImmutability(headers, nowMs), ...contentKey?.encryption };
}
