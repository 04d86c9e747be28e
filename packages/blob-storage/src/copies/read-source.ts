import { findBlobWithContent } from "../blobs/blob-statements.ts";
import { checkCustomerKey } from "../customer-keys/blob-encryption.ts";
import { type CustomerKey } from "../customer-keys/customer-key.ts";
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

/** Judges the key that a source is to be read with. @throws StorageError `CannotVerifyCopySource` (409) */
export function checkSourceKey(source: BlobRow, key: CustomerKey | undefined): void {
  try {
    checkCustomerKey(source, key?.sha256);
  } catch (error) {
    throw error instanceof StorageError ? cannotVerify(error) : error;
  }
}
