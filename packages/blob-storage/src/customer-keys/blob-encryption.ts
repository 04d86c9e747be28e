import { type BlobExtras, parseExtras } from "../blobs/blob-extras.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type BlobRow } from "../metadata/tables.ts";
import { type AnswerHeaders } from "../operations/answer.ts";
import { type CustomerKey } from "./customer-key.ts";

/** Judges the key of a request for an existing blob. @throws StorageError as {@link checkSameKey} */
export function checkCustomerKey(blob: Pick<BlobRow, "extras">, givenSha256: string | undefined): void {
  checkSameKey(parseExtras(blob).customerKeySha256, givenSha256);
}

/**
 * @param storedSha256  of the key that something is encrypted with; absent when it isn't by a client's own
 * @param givenSha256   of the key of the request, if there is one
 * @throws StorageError `BlobUsesCustomerSpecifiedEncryption`, `BlobDoesNotUseCustomerSpecifiedEncryption` or
 *   `BlobCustomerSpecifiedEncryptionMismatch`
 */
export function checkSameKey(storedSha256: string | undefined, givenSha256: string | undefined): void {
  if (storedSha256 === givenSha256) {
    return;
  }
  if (givenSha256 === undefined) {
    throw new StorageError("BlobUsesCustomerSpecifiedEncryption");
  }
  throw new StorageError(
    storedSha256 === undefined
      ? "BlobDoesNotUseCustomerSpecifiedEncryption"
      : "BlobCustomerSpecifiedEncryptionMismatch",
  );
}

/** What a new blob's row keeps of the key. */
export function customerKeyExtras(key: CustomerKey | undefined): Pick<BlobExtras, "customerKeySha256"> {
  return key === undefined ? {} : { customerKeySha256: key.sha256 };
}

/** What a write answers about its encryption (storage, appendix A: ENC). */
export function encryptionHeaders(key: CustomerKey | undefined): AnswerHeaders {
  return { "~request-server-encrypted": "true", "~encryption-key-sha256": key?.sha256 };
}
