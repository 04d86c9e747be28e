import { type AccountDirectory } from "../accounts/account-directory.ts";
import { parseExtras } from "../blobs/blob-extras.ts";
import { findBlobWithContent } from "../blobs/blob-statements.ts";
import { type BlobEncryption, checkSameEncryption, isEncrypted, keyForReading } from "../encryption/blob-encryption.ts";
import { type ContentKey } from "../encryption/content-key.ts";
import { StorageError } from "../errors/storage-error.ts";
import { findContainer } from "../containers/container-statements.ts";
import { first, type Steps } from "../metadata/steps.ts";
import { type BlobRow } from "../metadata/tables.ts";
import { resolveMoment } from "../versions/versions.ts";
import { cannotVerify, type CopySource } from "./copy-source.ts";

/** The row of a copy's source, with the bytes it holds. @throws StorageError `CannotVerifyCopySource` (404) */
export function* readSource(source: CopySource): Steps<BlobRow> {
  const container = yield* first(findContainer, { accountId: source.accountId, name: source.container });
  const place = { containerId: container?.container_id ?? 0, name: source.name };
  const moment = yield* resolveMoment(place, source.which);
  const blob = container === undefined ? undefined : yield* first(findBlobWithContent, { ...place, moment });
  if (blob === undefined) {
    throw cannotVerify(new StorageError(container === undefined ? "ContainerNotFound" : "BlobNotFound"));
  }
  return blob;
}

/**
 * The key that a source is read with.
 *
 * @param given  the client's own that came along
 * @throws StorageError `CannotVerifyCopySource`
 */
export function keyOfSource(
  blob: BlobRow,
  source: CopySource,
  given: ContentKey | undefined,
  accounts: AccountDirectory,
): ContentKey | undefined {
  return verified(() => keyForReading(parseExtras(blob), given, accounts.get(source.account).encryptionScopes));
}

/**
 * Judges whether a source's stored bytes may be those of the new blob as well.
 *
 * @throws StorageError `CannotVerifyCopySource` (409) unless both are encrypted with the same scope or with none
 */
export function checkShareable(blob: BlobRow, { source, accountId, encryption }: SharedCopy): void {
  const stored = parseExtras(blob);
  verified(() => {
    checkSameEncryption(stored, encryption);
    // A name means another key in another account.
    if (isEncrypted(stored) && source.accountId !== accountId) {
      throw new StorageError("BlobCustomerSpecifiedEncryptionMismatch");
    }
  });
}

interface SharedCopy {
  readonly source: CopySource;
  readonly accountId: number;
  readonly encryption: BlobEncryption;
}

function verified<Result>(judge: () => Result): Result {
  try {
    return judge();
  } catch (error) {
    throw error instanceof StorageError ? cannotVerify(error) : error;
  }
}
