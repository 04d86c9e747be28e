import { StorageError } from "../errors/storage-error.ts";
import { type AnswerHeaders } from "../operations/answer.ts";
import { type ContentKey } from "./content-key.ts";
import { type EncryptionScopes, openScope } from "./encryption-scope.ts";

/** What is kept of the key that content and metadata are encrypted with; of one key at most. */
export interface BlobEncryption {
  /** Base64, of a key of the client's own (decisions/0188). */
  readonly customerKeySha256?: string | undefined;
  /** The name of one of the account's (decisions/0194). */
  readonly encryptionScope?: string | undefined;
}

/** Of what is encrypted with neither. */
export const noEncryption: BlobEncryption = {};

export function isEncrypted({ customerKeySha256, encryptionScope }: BlobEncryption): boolean {
  return customerKeySha256 !== undefined || encryptionScope !== undefined;
}

/**
 * Judges the key of a request that changes something: it has to be the one that this is encrypted with.
 *
 * @throws StorageError `BlobUsesCustomerSpecifiedEncryption`, `BlobDoesNotUseCustomerSpecifiedEncryption` or
 *   `BlobCustomerSpecifiedEncryptionMismatch`
 */
export function checkSameEncryption(stored: BlobEncryption, given: BlobEncryption): void {
  if (isSameEncryption(stored, given)) {
    return;
  }
  if (!isEncrypted(given)) {
    throw new StorageError("BlobUsesCustomerSpecifiedEncryption");
  }
  throw new StorageError(
    isEncrypted(stored) ? "BlobCustomerSpecifiedEncryptionMismatch" : "BlobDoesNotUseCustomerSpecifiedEncryption",
  );
}

export function isSameEncryption(one: BlobEncryption, other: BlobEncryption): boolean {
  return one.customerKeySha256 === other.customerKeySha256 && one.encryptionScope === other.encryptionScope;
}

/**
 * The key that something stored is read with: that of its scope, which readers need not name, or the client's own.
 *
 * @param given  the client's own that came along
 * @throws StorageError as {@link checkSameEncryption} and {@link openScope}
 */
export function keyForReading(
  stored: BlobEncryption,
  given: ContentKey | undefined,
  scopes: EncryptionScopes,
): ContentKey | undefined {
  if (stored.encryptionScope !== undefined && given === undefined) {
    return openScope(scopes, stored.encryptionScope);
  }
  checkSameEncryption(stored, given?.encryption ?? noEncryption);
  return given;
}

/** What a write answers about its encryption (storage, appendix A: ENC). */
export function encryptionHeaders(key: ContentKey | undefined): AnswerHeaders {
  return { "~request-server-encrypted": "true", ...keyHeaders(key?.encryption ?? noEncryption) };
}

/** How the key of a blob is named to those who read it. */
export function keyHeaders({ customerKeySha256, encryptionScope }: BlobEncryption): AnswerHeaders {
  return { "~encryption-key-sha256": customerKeySha256, "~encryption-scope": encryptionScope };
}
