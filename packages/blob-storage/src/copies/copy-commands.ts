import { type BlobExtras, parseExtras } from "../blobs/blob-extras.ts";
import { type BlobWrite, getPlace, type NewBlob, type PutBlobInput, replaceBlob } from "../blobs/blob-commands.ts";
import { checkReadConditions, type Conditions } from "../conditions/conditions.ts";
import { type Changed, conditionTarget } from "../containers/container-commands.ts";
import { type ContentColumns, shareContent, storePiece, storeReceived } from "../contents/content-changes.ts";
import { addExtentUses, copyPieces, insertContent } from "../contents/content-statements.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { run, type Steps } from "../metadata/steps.ts";
import { INFINITE } from "../leases/lease-actions.ts";
import { leaseStateOf } from "../leases/lease-state.ts";
import { type BlobRow, type LeaseColumns } from "../metadata/tables.ts";
import { cannotVerify, type CopySource } from "./copy-source.ts";
import { checkShareable, readSource } from "./read-source.ts";

/** A copy as it is asked for. */
export interface AskedCopy extends BlobWrite {
  readonly source: CopySource;
  readonly sourceConditions: Conditions;
  readonly sourceLeaseId: string | undefined;
  /** As the row holds it; what is absent is taken from the source. */
  readonly metadata: string | undefined;
  /** JSON. */
  readonly contentHeaders: string | undefined;
  readonly tags: string | null;
  readonly copyTags: boolean;
  readonly tier: string | undefined;
  readonly immutability: BlobExtras;
  readonly seal: boolean;
  readonly sourceMd5: string | undefined;
}

export interface CopyBlobInput extends AskedCopy {
  /** The id of the copy, noted with the blob; absent for Put Blob From URL, which is an upload. */
  readonly copyId: string | undefined;
}

export interface Copied extends Changed {
  readonly contentMd5: string | undefined;
}

/** Copies a blob inside this server, at once and without copying a byte (storage §11). */
export const copyBlob: Command<CopyBlobInput, Copied> = function* (input, context) {
  const source = yield* readSource(input.source);
  checkSource(input, source);
  checkShareable(source, input);
  const place = yield* getPlace(input, context, "BlobAlreadyExists");
  if (input.copyId !== undefined && place.existing !== undefined) {
    checkInfinite(place.existing, context.nowMs);
  }
  const { contentMd5 } = JSON.parse(source.content_headers) as { readonly contentMd5?: string };
  if (input.sourceMd5 !== undefined && contentMd5 !== undefined && input.sourceMd5 !== contentMd5) {
    throw new StorageError("Md5Mismatch", {
      elements: { UserSpecifiedMd5: input.sourceMd5, ServerCalculatedMd5: contentMd5 },
    });
  }
  const content = yield* takeContent(source, context);
  const changed = yield* replaceBlob(place, newBlob(input, source, context.nowMs), content, context);
  return { ...changed, contentMd5 };
};

export interface StoreCopyInput extends PutBlobInput {
  /** Whether the copy is noted with the blob; else it is an upload. */
  readonly isNoted: boolean;
}

/** A copy whose bytes were read and received anew, as a client's would be. */
export const storeCopy: Command<StoreCopyInput, Changed> = function* (input, context) {
  const place = yield* getPlace(input, context, "BlobAlreadyExists");
  if (input.isNoted && place.existing !== undefined) {
    checkInfinite(place.existing, context.nowMs);
  }
  const isWhole = input.blob.type === "BlockBlob";
  const content = yield* isWhole ? storeReceived(input.received, context) : storePiece(input.received, context);
  return yield* replaceBlob(place, input.blob, content, context);
};

/** @throws StorageError for a source that may not be copied like this */
export function checkSource(input: AskedCopy, source: BlobRow): void {
  checkSourceConditions(input.sourceConditions, source);
  if (parseExtras(source).tier === "Archive") {
    checkArchivedSource(input);
  }
  if (input.tier !== undefined && source.type !== "BlockBlob") {
    throw new StorageError("BlobAccessTierNotSupportedForAccountType");
  }
}

/** A copy may take longer than a lease with an end. */
function checkInfinite(lease: LeaseColumns, nowMs: number): void {
  const isFixed = lease.lease_duration_seconds !== null && lease.lease_duration_seconds !== INFINITE;
  if (isFixed && leaseStateOf(lease, nowMs) === "leased") {
    throw new StorageError("InfiniteLeaseDurationRequired");
  }
}

/** What lies in the archive is brought out of it by copying it to another tier, inside its account. */
function checkArchivedSource({ accountId, source, tier }: AskedCopy): void {
  const archived = new StorageError("BlobArchived");
  if (source.accountId !== accountId) {
    throw cannotVerify(archived);
  }
  if (tier === undefined) {
    throw archived;
  }
}

function checkSourceConditions(conditions: Conditions, source: BlobRow): void {
  try {
    checkReadConditions(conditions, conditionTarget(source));
  } catch {
    throw new StorageError("SourceConditionNotMet");
  }
}

/** Block blobs share a content, which never changes; those that grow or are written to get a list of their own. */
function* takeContent(source: BlobRow, context: CommandContext): Steps<ContentColumns> {
  if (source.type === "BlockBlob" || source.content_id === null) {
    return yield* shareContent(source);
  }
  const contentId = context.newId();
  yield* run(insertContent, { contentId });
  yield* run(copyPieces, { contentId, fromContentId: source.content_id, length: source.length });
  yield* run(addExtentUses, { contentId });
  return { content_id: contentId, inline_content: null };
}

/** What a copy's row holds; of a source that is stored anew the metadata is given. */
export function newBlob(input: CopyBlobInput, source: BlobRow, nowMs: number): NewBlob {
  const { copyId } = input;
  const { blockCount, sealed, sequenceNumber } = parseExtras(source);
  const extras: BlobExtras = {
    ...(blockCount === undefined ? {} : { blockCount }),
    ...(sealed === undefined && !input.seal ? {} : { sealed: input.seal }),
    ...(sequenceNumber === undefined ? {} : { sequenceNumber }),
    ...tierOf(input.tier, nowMs),
    ...input.immutability,
    ...input.encryption,
    ...(copyId === undefined
      ? {}
      : {
          copy: {
            id: copyId,
            source: input.source.url,
            status: "success",
            bytes: source.length,
            completedMs: nowMs,
          },
        }),
  };
  return {
    type: copyId === undefined ? "BlockBlob" : source.type,
    length: source.length,
    contentHeaders: input.contentHeaders ?? source.content_headers,
    metadata: input.metadata ?? source.metadata,
    tags: input.copyTags ? source.tags : input.tags,
    extras: JSON.stringify(extras),
  };
}

function tierOf(tier: string | undefined, nowMs: number): Pick<BlobExtras, "tier" | "tierChangedMs"> {
  return tier === undefined ? {} : { tier, tierChangedMs: nowMs };
}
