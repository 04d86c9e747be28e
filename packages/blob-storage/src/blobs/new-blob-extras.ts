import { readImmutability } from "../immutability/read-immutability.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { uploadTier } from "../tiers/tier-names.ts";
import { type BlobExtras } from "./blob-extras.ts";

/** What the headers of a request say of the blob that it makes, beside its content headers. @throws StorageError */
export function readNewExtras(headers: RequestHeaders, nowMs: number): BlobExtras {
  return { ...uploadTier(headers, nowMs), ...readImmutability(headers, nowMs) };
}
