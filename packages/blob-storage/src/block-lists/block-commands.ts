import { rowBytes } from "../contents/row-bytes.ts";
import { type BlobWrite, getPlace, type NewBlob, type Place, replaceBlob } from "../blobs/blob-commands.ts";
import { parseExtras } from "../blobs/blob-extras.ts";
import { type Changed } from "../containers/container-commands.ts";
import { type ContentColumns, type ReceivedBytes, releaseExtent } from "../contents/content-changes.ts";
import { type BlobEncryption, checkSameEncryption, noEncryption } from "../encryption/blob-encryption.ts";
import { addExtentUses, insertContent, insertExtent } from "../contents/content-statements.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { type UncommittedRow } from "../metadata/tables.ts";
import { all, first, run, type Steps } from "../metadata/steps.ts";
import {
  findUncommitted,
  insertPieceOfPiece,
  insertPieceOfStaged,
  insertStagedBlock,
  insertUncommitted,
  listCommittedBlocks,
  listStagedBlocks,
  takeStagedBlock,
  updateUncommitted,
} from "./staged-statements.ts";

export interface StageBlockInput extends BlobWrite {
  /** Base64, as the client wrote it. */
  readonly blockId: string;
  readonly received: ReceivedBytes;
}

const UNCOMMITTED_LIMIT = 100_000;

/** Put Block: the bytes wait for a block list; one staged before under the same id is replaced. */
export const stageBlock: Command<StageBlockInput, null> = function* (input, context) {
  const { containerId, name } = yield* getBlockBlobPlace(input, context);
  const { blockId, received } = input;
  const uncommitted = yield* first(findUncommitted, { containerId, name });
  const idLength = Buffer.from(blockId, "base64").length;
  if (uncommitted !== undefined && uncommitted.id_length !== idLength) {
    throw new StorageError("InvalidBlobOrBlock");
  }
  if (uncommitted !== undefined) {
    checkSameEncryption(encryptionOf(uncommitted), input.encryption);
  }
  const [replaced] = yield* all(takeStagedBlock, { containerId, name, blockId });
  if (replaced !== undefined && replaced.extent_id !== null) {
    yield* releaseExtent(replaced.extent_id);
  }
  const blocks = (uncommitted?.blocks ?? 0) + (replaced === undefined ? 1 : 0);
  if (blocks > UNCOMMITTED_LIMIT) {
    throw new StorageError("BlockCountExceedsLimit");
  }
  if (uncommitted === undefined) {
    const { customerKeySha256 = null, encryptionScope = null } = input.encryption;
    const encryption = { customerKeySha256, encryptionScope };
    yield* run(insertUncommitted, { containerId, name, idLength, ...encryption, nowMs: context.nowMs });
  } else {
    yield* run(updateUncommitted, { containerId, name, blocks, nowMs: context.nowMs });
  }
  const extentId = received.kind === "extent" ? received.extentId : null;
  if (extentId !== null) {
    yield* run(insertExtent, { extentId, size: received.length });
  }
  const inlineContent = received.kind === "inline" ? received.bytes : null;
  const nonce = received.nonce ?? null;
  yield* run(insertStagedBlock, {
    containerId,
    name,
    blockId,
    length: received.length,
    extentId,
    inlineContent,
    nonce,
  });
  return null;
};

function encryptionOf(row: UncommittedRow): BlobEncryption {
  return {
    customerKeySha256: row.customer_key_sha256 ?? undefined,
    encryptionScope: row.encryption_scope ?? undefined,
  };
}

/** Where an entry of a block list looks for its block. */
export type BlockSource = "Committed" | "Uncommitted" | "Latest";

export interface BlockListEntry {
  readonly source: BlockSource;
  readonly blockId: string;
}

export interface CommitBlockListInput extends BlobWrite {
  readonly entries: readonly BlockListEntry[];
  /** Its length is that of the blocks. */
  readonly blob: Omit<NewBlob, "length">;
}

/** Put Block List: the named blocks, in order, become the blob. Their bytes stay where they are. */
export const commitBlockList: Command<CommitBlockListInput, Changed> = function* (input, context) {
  const place = yield* getBlockBlobPlace(input, context, "BlobAlreadyExists");
  const { content, length } = yield* buildContent(place, input, context);
  // A list of other blocks is another state of the same blob, which keeps the time of its making.
  const blob = { ...input.blob, length, createdMs: place.existing?.created_ms };
  return yield* replaceBlob(place, blob, content, context);
};

/** @throws StorageError also `InvalidBlobType` where a blob of another type is */
function* getBlockBlobPlace(
  input: BlobWrite,
  context: CommandContext,
  existsError?: "BlobAlreadyExists",
): Steps<Place> {
  const place = yield* getPlace(input, context, existsError);
  if (place.existing !== undefined && place.existing.type !== "BlockBlob") {
    throw new StorageError("InvalidBlobType");
  }
  return place;
}

function* buildContent(
  { containerId, name, existing }: Place,
  { entries, encryption }: CommitBlockListInput,
  context: CommandContext,
): Steps<{ readonly content: ContentColumns; readonly length: number }> {
  if (entries.length === 0) {
    return { content: { content_id: null, inline_content: rowBytes(new Uint8Array()) }, length: 0 };
  }
  const uncommitted = yield* first(findUncommitted, { containerId, name });
  const staged = new Map((yield* all(listStagedBlocks, { containerId, name })).map((row) => [row.block_id, row]));
  const fromContentId = existing?.content_id ?? null;
  const committedRows = fromContentId === null ? [] : yield* all(listCommittedBlocks, { contentId: fromContentId });
  const committed = new Map(committedRows.map((row) => [row.block_id, row]));
  const contentId = context.newId();
  yield* run(insertContent, { contentId });
  let start = 0;
  for (const { source, blockId } of entries) {
    const stagedBlock = source === "Committed" ? undefined : staged.get(blockId);
    const committedBlock = source === "Uncommitted" ? undefined : committed.get(blockId);
    if (stagedBlock !== undefined) {
      checkSameEncryption(uncommitted === undefined ? noEncryption : encryptionOf(uncommitted), encryption);
      yield* run(insertPieceOfStaged, { contentId, start, containerId, name, blockId });
      start += stagedBlock.length;
    } else if (committedBlock !== undefined && existing !== undefined && fromContentId !== null) {
      checkSameEncryption(parseExtras(existing), encryption);
      yield* run(insertPieceOfPiece, { contentId, start, fromContentId, fromStart: committedBlock.start });
      start += committedBlock.length;
    } else {
      throw new StorageError("InvalidBlockList");
    }
  }
  yield* run(addExtentUses, { contentId });
  return { content: { content_id: contentId, inline_content: null }, length: start };
}
