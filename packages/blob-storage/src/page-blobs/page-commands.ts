import { type BlobWrite, getBlobForWrite } from "../blobs/blob-commands.ts";
import { type BlobExtras, parseExtras } from "../blobs/blob-extras.ts";
import { type BlobProperties, updateBlobContent } from "../blobs/blob-statements.ts";
import { type Changed } from "../containers/container-commands.ts";
import { addReceivedPiece, type ReceivedBytes } from "../contents/content-changes.ts";
import { checkSameEncryption } from "../encryption/blob-encryption.ts";
import { refuseIncrementalCopy } from "../copies/incremental-copy.ts";
import { StorageError } from "../errors/storage-error.ts";
import { leaseAfterWrite } from "../leases/lease-state.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { run, type Steps } from "../metadata/steps.ts";
import { clearRange, ownContent } from "./page-map.ts";
import { type PageRange } from "./page-ranges.ts";

/** `~if-sequence-number-…`; numbers absent when the header was. */
export interface SequenceConditions {
  readonly atMost?: number | undefined;
  readonly lessThan?: number | undefined;
  readonly equalTo?: number | undefined;
}

export interface WritePagesInput extends BlobWrite {
  readonly range: PageRange;
  /** Absent: the range is cleared. */
  readonly received: ReceivedBytes | undefined;
  readonly sequence: SequenceConditions;
}

export interface PagesChanged extends Changed {
  readonly sequenceNumber: number;
}

/** Put Page: writes or clears a range of 512-byte pages. */
export const writePages: Command<WritePagesInput, PagesChanged> = function* (input, context) {
  const blob = yield* getPageBlob(input, context);
  checkSameEncryption(parseExtras(blob), input.encryption);
  const { sequenceNumber = 0 } = parseExtras(blob);
  checkSequence(input.sequence, sequenceNumber);
  const { start, end } = input.range;
  if (end > blob.length) {
    throw new StorageError("InvalidPageRange");
  }
  const contentId = yield* ownContent(blob.content_id ?? 0, blob.length, context);
  yield* clearRange(contentId, start, end);
  if (input.received !== undefined) {
    yield* addReceivedPiece(contentId, start, input.received);
  }
  const changed = yield* updateContent(blob, { contentId, length: blob.length, extras: parseExtras(blob) }, context);
  return { ...changed, sequenceNumber };
};

export interface ResizeInput extends BlobWrite {
  /** A multiple of 512. */
  readonly length: number;
}

/** Set Blob Properties with a new length: pages beyond it are gone. */
export const resizePageBlob: Command<ResizeInput, PagesChanged> = function* (input, context) {
  const blob = yield* getPageBlob(input, context);
  checkSameEncryption(parseExtras(blob), input.encryption);
  const contentId = yield* ownContent(blob.content_id ?? 0, blob.length, context);
  yield* clearRange(contentId, input.length, Number.MAX_SAFE_INTEGER);
  const extras = parseExtras(blob);
  const changed = yield* updateContent(blob, { contentId, length: input.length, extras }, context);
  return { ...changed, sequenceNumber: extras.sequenceNumber ?? 0 };
};

export interface SequenceNumberInput extends BlobWrite {
  readonly action: "max" | "update" | "increment";
  readonly number: number | undefined;
}

/** Set Blob Properties with a sequence number. */
export const setSequenceNumber: Command<SequenceNumberInput, PagesChanged> = function* (input, context) {
  const blob = yield* getPageBlob(input, context);
  const extras = parseExtras(blob);
  const current = extras.sequenceNumber ?? 0;
  if (input.action === "increment" && current >= Number.MAX_SAFE_INTEGER) {
    throw new StorageError("SequenceNumberIncrementTooLarge");
  }
  const given = input.number ?? current;
  const sequenceNumber = { max: Math.max(current, given), update: given, increment: current + 1 }[input.action];
  const changes = { contentId: blob.content_id ?? 0, length: blob.length, extras: { ...extras, sequenceNumber } };
  return { ...(yield* updateContent(blob, changes, context)), sequenceNumber };
};

function* getPageBlob(input: BlobWrite, context: CommandContext): Steps<BlobProperties> {
  const blob = yield* getBlobForWrite(input, context);
  if (blob.type !== "PageBlob") {
    throw new StorageError("InvalidBlobType");
  }
  refuseIncrementalCopy(blob);
  return blob;
}

function checkSequence({ atMost, lessThan, equalTo }: SequenceConditions, current: number): void {
  const holds =
    (atMost === undefined || current <= atMost) &&
    (lessThan === undefined || current < lessThan) &&
    (equalTo === undefined || current === equalTo);
  if (!holds) {
    throw new StorageError("SequenceNumberConditionNotMet");
  }
}

interface ContentChange {
  readonly contentId: number;
  readonly length: number;
  readonly extras: BlobExtras;
}

function* updateContent(blob: BlobProperties, change: ContentChange, context: CommandContext): Steps<Changed> {
  const etag = context.newEtag();
  yield* run(updateBlobContent, {
    ...leaseAfterWrite(blob, context.nowMs),
    container_id: blob.container_id,
    name: blob.name,
    etag,
    last_modified_ms: context.nowMs,
    length: change.length,
    extras: JSON.stringify(change.extras),
    content_id: change.contentId,
  });
  return { etag, lastModifiedMs: context.nowMs };
}
