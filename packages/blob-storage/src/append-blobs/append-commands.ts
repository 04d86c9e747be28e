import { type BlobWrite, getBlobForWrite } from "../blobs/blob-commands.ts";
import { parseExtras } from "../blobs/blob-extras.ts";
import { type BlobProperties, updateBlobContent } from "../blobs/blob-statements.ts";
import { type Changed } from "../containers/container-commands.ts";
import { addReceivedPiece, type ReceivedBytes } from "../contents/content-changes.ts";
import { checkSameEncryption } from "../encryption/blob-encryption.ts";
import { StorageError } from "../errors/storage-error.ts";
import { leaseAfterWrite } from "../leases/lease-state.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { run, type Steps } from "../metadata/steps.ts";

export interface AppendBlockInput extends BlobWrite {
  readonly received: ReceivedBytes;
  /** The blob's length must be this. */
  readonly position: number | undefined;
  /** The blob's length must not grow beyond this. */
  readonly maxSize: number | undefined;
}

export interface Appended extends Changed {
  /** Where the block begins. */
  readonly offset: number;
  readonly blockCount: number;
}

const BLOCK_LIMIT = 50_000;

/** Append Block: one writer runs all appends, so each lands whole behind the one before (storage §10). */
export const appendBlock: Command<AppendBlockInput, Appended> = function* (input, context) {
  const blob = yield* getAppendBlob(input, context);
  checkSameEncryption(parseExtras(blob), input.encryption);
  const extras = parseExtras(blob);
  if (extras.sealed === true) {
    throw new StorageError("BlobIsSealed");
  }
  if (input.position !== undefined && input.position !== blob.length) {
    throw new StorageError("AppendPositionConditionNotMet");
  }
  const { received } = input;
  if (input.maxSize !== undefined && blob.length + received.length > input.maxSize) {
    throw new StorageError("MaxBlobSizeConditionNotMet");
  }
  const blockCount = (extras.blockCount ?? 0) + 1;
  if (blockCount > BLOCK_LIMIT) {
    throw new StorageError("BlockCountExceedsLimit");
  }
  yield* addReceivedPiece(blob.content_id ?? 0, blob.length, received);
  const change = yield* updateContent(blob, blob.length + received.length, { ...extras, blockCount }, context);
  return { ...change, offset: blob.length, blockCount };
};

export interface SealInput extends BlobWrite {
  readonly position: number | undefined;
}

/** Seal: no block is appended any more. Sealing twice is no error. */
export const sealBlob: Command<SealInput, Changed> = function* (input, context) {
  const blob = yield* getAppendBlob(input, context);
  if (input.position !== undefined && input.position !== blob.length) {
    throw new StorageError("AppendPositionConditionNotMet");
  }
  const extras = parseExtras(blob);
  if (extras.sealed === true) {
    return { etag: blob.etag, lastModifiedMs: blob.last_modified_ms };
  }
  return yield* updateContent(blob, blob.length, { ...extras, sealed: true }, context);
};

function* getAppendBlob(input: BlobWrite, context: CommandContext): Steps<BlobProperties> {
  const blob = yield* getBlobForWrite(input, context);
  if (blob.type !== "AppendBlob") {
    throw new StorageError("InvalidBlobType");
  }
  return blob;
}

function* updateContent(blob: BlobProperties, length: number, extras: object, context: CommandContext): Steps<Changed> {
  const etag = context.newEtag();
  yield* run(updateBlobContent, {
    ...leaseAfterWrite(blob, context.nowMs),
    container_id: blob.container_id,
    name: blob.name,
    etag,
    last_modified_ms: context.nowMs,
    length,
    extras: JSON.stringify(extras),
    content_id: blob.content_id,
  });
  return { etag, lastModifiedMs: context.nowMs };
}
