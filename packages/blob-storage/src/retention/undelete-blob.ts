import { containerOf, blobOf } from "../blobs/blob-address.ts";
import { type BlobAddress } from "../blobs/blob-commands.ts";
import { findBlob } from "../blobs/blob-statements.ts";
import { getContainer } from "../containers/container-commands.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { all, first } from "../metadata/steps.ts";
import { CURRENT } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Services } from "../services.ts";
import { restoreBlobs } from "./retention-statements.ts";

/** Undelete Blob: brings the blob and all its deleted snapshots back (storage §10). */
export async function undeleteBlob({ request }: OperationCall, services: Services): Promise<Answer> {
  await services.metadata.write("undeleteBlob", {
    accountId: request.account.id,
    container: containerOf(request),
    name: blobOf(request),
  });
  return { status: 200, headers: {} };
}

/** What is there and was never deleted stays as it is; what never was is not found. */
export const undeleteBlobRows: Command<BlobAddress, null> = function* (input) {
  const container = yield* getContainer({ accountId: input.accountId, name: input.container });
  const blob = { containerId: container.container_id, name: input.name };
  const restored = yield* all(restoreBlobs, blob);
  if (restored.length === 0 && (yield* first(findBlob, { ...blob, moment: CURRENT })) === undefined) {
    throw new StorageError("BlobNotFound");
  }
  return null;
};
