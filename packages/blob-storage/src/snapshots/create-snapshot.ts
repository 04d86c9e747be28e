import { getBlobWithContentForWrite, type BlobWrite } from "../blobs/blob-commands.ts";
import { parseExtras } from "../blobs/blob-extras.ts";
import { blobWriteOf } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { insertBlob } from "../blobs/blob-statements.ts";
import { type Changed } from "../containers/container-commands.ts";
import { shareContent } from "../contents/content-changes.ts";
import { checkSameEncryption } from "../encryption/blob-encryption.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { noLease } from "../leases/lease-state.ts";
import { type Command } from "../metadata/command.ts";
import { run } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readMetadata } from "../request/metadata-headers.ts";
import { beginVersion } from "../versions/versions.ts";
import { type Services } from "../services.ts";

export interface CreateSnapshotInput extends BlobWrite {
  /** As the row holds it; absent: the blob's own. */
  readonly metadata: string | undefined;
}

/** A second row with the same content: no byte is copied. */
export const createSnapshotRow: Command<CreateSnapshotInput, Changed & { readonly moment: string }> = function* (
  input,
  context,
) {
  const blob = yield* getBlobWithContentForWrite(input, context);
  checkSameEncryption(parseExtras(blob), input.encryption);
  const moment = context.newMoment();
  const content = yield* shareContent(blob);
  const metadata = input.metadata ?? blob.metadata;
  yield* run(insertBlob, { ...blob, ...noLease, ...content, moment, version_id: null, metadata });
  const versionId = input.versioning ? yield* beginVersion(blob, context) : blob.version_id;
  return { etag: blob.etag, lastModifiedMs: blob.last_modified_ms, versionId, moment };
};

/** Snapshot Blob: the blob as it is now, read-only, under the time of its making (storage §10). */
export async function createSnapshot(call: OperationCall, services: Services): Promise<Answer> {
  const metadata = readMetadata(call.request.headers);
  const hasMetadata = Object.keys(metadata).length > 0;
  const created = await services.metadata.write("createSnapshot", {
    ...blobWriteOf(call),
    metadata: hasMetadata ? storedMetadata(metadata, call.contentKey) : undefined,
  });
  return {
    status: 201,
    headers: { ...changeHeaders(created), "~snapshot": created.moment, "~request-server-encrypted": "false" },
  };
}
