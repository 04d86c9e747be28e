import { parseExtras } from "./blob-extras.ts";
import { checkWriteConditions, type Conditions } from "../conditions/conditions.ts";
import { conditionTarget, type Changed, getContainer } from "../containers/container-commands.ts";
import { type ContentColumns, type ReceivedBytes, storeReceived } from "../contents/content-changes.ts";
import { dropStagedBlocks } from "../block-lists/staged-blocks.ts";
import { type BlobEncryption, checkSameEncryption } from "../encryption/blob-encryption.ts";
import { insertContent } from "../contents/content-statements.ts";
import { StorageError } from "../errors/storage-error.ts";
import { isExpired } from "../expiry/expiry.ts";
import { checkLease, checkLeaseOfRead, leaseAfterWrite, noLease } from "../leases/lease-state.ts";
import { checkMutable } from "../immutability/immutability.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { all, first, run, type Steps } from "../metadata/steps.ts";
import { beginVersion, leaveVersion, resolveMoment } from "../versions/versions.ts";
import { checkTierConditions, type TierConditions } from "../tiers/tier-conditions.ts";
import { discardBlob, makeRoom } from "../retention/retention.ts";
import { type BlobRow, type BlobType, CURRENT } from "../metadata/tables.ts";
import {
  type BlobName,
  type BlobProperties,
  findBlob,
  findBlobWithContent,
  findKeptBlob,
  findSnapshots,
  insertBlob,
  updateBlobHeaders,
  updateBlobMetadata,
} from "./blob-statements.ts";

/** Names a blob; `container` by its name, because it may have been replaced meanwhile. */
export interface BlobAddress {
  readonly accountId: number;
  readonly container: string;
  readonly name: string;
}

export interface BlobWrite extends BlobAddress {
  readonly conditions: Conditions;
  readonly leaseId: string | undefined;
  /** False: only where nothing is. */
  readonly mayOverwrite: boolean;
  /** Of the key that what is written is encrypted with. */
  readonly encryption: BlobEncryption;
  /** For how many days the account keeps what is deleted; absent when it doesn't. */
  readonly retentionDays: number | undefined;
  /** Whether the account keeps what is replaced as a previous version. */
  readonly versioning: boolean;
}

/** What a new blob's row holds besides its place and its bytes; JSON as in tables.ts. */
export interface NewBlob {
  readonly type: BlobType;
  readonly length: number;
  readonly contentHeaders: string;
  readonly metadata: string;
  readonly tags: string | null;
  readonly extras: string;
  /** When the blob began to be; absent: now. */
  readonly createdMs?: number | undefined;
}

export interface PutBlobInput extends BlobWrite {
  readonly blob: NewBlob;
  readonly received: ReceivedBytes;
}

/** Put Blob: the received bytes become the blob, whole and at once. */
export const putBlob: Command<PutBlobInput, Changed> = function* (input, context) {
  const place = yield* getPlace(input, context, "BlobAlreadyExists");
  const content = yield* storeReceived(input.received, context);
  return yield* replaceBlob(place, input.blob, content, context);
};

/** Where a write goes: a container that exists and the blob that is there now. */
export interface Place {
  readonly containerId: number;
  readonly name: string;
  readonly existing: BlobProperties | undefined;
  /** A deleted blob is kept at this place. */
  readonly isKept: boolean;
  /** See {@link BlobWrite}. */
  readonly retentionDays: number | undefined;
  readonly versioning: boolean;
}

/**
 * The place of a write, after its lease and its conditions were judged.
 *
 * @throws StorageError `ContainerNotFound`, a lease error, `ConditionNotMet` or `existsError`
 */
export function* getPlace(input: BlobWrite, context: CommandContext, existsError?: "BlobAlreadyExists"): Steps<Place> {
  const { container_id: containerId } = yield* getContainer({ accountId: input.accountId, name: input.container });
  const { existing, isKept } = yield* findPlaced({ containerId, name: input.name }, context);
  if (existing !== undefined && !input.mayOverwrite) {
    throw new StorageError("UnauthorizedBlobOverwrite");
  }
  checkWriteConditions(input.conditions, existing && conditionTarget(existing), existsError);
  // A version keeps what is replaced as it has to stay (decisions/0108).
  if (existing !== undefined && !input.versioning) {
    checkMutable(existing, context.nowMs);
  }
  if (existing === undefined) {
    checkLease(noLease, input.leaseId, context.nowMs, "Blob");
  } else {
    checkLease(existing, input.leaseId, context.nowMs, "Blob");
  }
  const { name, retentionDays, versioning } = input;
  return { containerId, name, existing, isKept, retentionDays, versioning };
}

/** What has a name now: a living blob or a deleted one that is kept. One whose time has come goes at once. */
function* findPlaced(place: BlobName, context: CommandContext): Steps<Pick<Place, "existing" | "isKept">> {
  const blob = yield* first(findKeptBlob, { ...place, moment: CURRENT });
  if (blob === undefined || blob.deleted_ms !== null) {
    return { existing: undefined, isKept: blob !== undefined };
  }
  if (isExpired(blob, context.nowMs)) {
    yield* discardBlob(blob, undefined, context);
    return { existing: undefined, isKept: false };
  }
  return { existing: blob, isKept: false };
}

/** As {@link getPlace}, for a blob that must be there and is changed where it is. */
export function* getBlobForWrite(input: BlobWrite, context: CommandContext): Steps<BlobProperties> {
  const { existing } = yield* getPlace(input, context);
  if (existing === undefined) {
    throw new StorageError("BlobNotFound");
  }
  checkMutable(existing, context.nowMs);
  return existing;
}

/**
 * The blob with the bytes of its row, for an operation that leaves it as it is: a lease id is checked when given.
 *
 * @throws StorageError as {@link getBlobForWrite}
 */
export function* getBlobWithContentForWrite(input: BlobWrite, context: CommandContext): Steps<BlobRow> {
  const container = yield* getContainer({ accountId: input.accountId, name: input.container });
  const key = { containerId: container.container_id, name: input.name, moment: CURRENT };
  const blob = yield* first(findBlobWithContent, key);
  checkWriteConditions(input.conditions, blob && conditionTarget(blob));
  if (blob === undefined) {
    throw new StorageError("BlobNotFound");
  }
  checkLeaseOfRead(blob, input.leaseId, context.nowMs, "Blob");
  return blob;
}

/**
 * A blob, one of its snapshots or one of its versions.
 *
 * @param which  a moment or a version's mark
 * @throws StorageError `ContainerNotFound` or `BlobNotFound`
 */
export function* getBlobAt(address: BlobAddress, which: string, nowMs: number): Steps<BlobProperties> {
  const container = yield* getContainer({ accountId: address.accountId, name: address.container });
  const place = { containerId: container.container_id, name: address.name };
  const blob = yield* first(findBlob, { ...place, moment: yield* resolveMoment(place, which) });
  if (blob === undefined || isExpired(blob, nowMs)) {
    throw new StorageError("BlobNotFound");
  }
  return blob;
}

/** A page or append blob begins without bytes, but with a content that can grow. */
export const createEmptyBlob: Command<BlobWrite & { readonly blob: NewBlob }, Changed> = function* (input, context) {
  const place = yield* getPlace(input, context, "BlobAlreadyExists");
  const contentId = context.newId();
  yield* run(insertContent, { contentId });
  return yield* replaceBlob(place, input.blob, { content_id: contentId, inline_content: null }, context);
};

/** Puts a new blob in its place; the old one's bytes and staged blocks go, its lease and snapshots stay. */
export function* replaceBlob(
  place: Place,
  blob: NewBlob,
  content: ContentColumns,
  context: CommandContext,
): Steps<Changed> {
  const { containerId, name, existing } = place;
  yield* dropStagedBlocks(containerId, name);
  yield* makeRoom(place, context);
  const etag = context.newEtag();
  const versionId = place.versioning ? context.newMoment() : null;
  yield* run(insertBlob, {
    ...leaseAfterWrite(existing ?? noLease, context.nowMs),
    ...content,
    container_id: containerId,
    name,
    moment: CURRENT,
    version_id: versionId,
    deleted_ms: null,
    purge_ms: null,
    type: blob.type,
    length: blob.length,
    etag,
    last_modified_ms: context.nowMs,
    created_ms: blob.createdMs ?? context.nowMs,
    content_headers: blob.contentHeaders,
    metadata: blob.metadata,
    tags: blob.tags,
    extras: blob.extras,
  });
  return { etag, lastModifiedMs: context.nowMs, versionId };
}

export interface DeleteBlobInput extends BlobWrite {
  /** A moment or a version's mark. */
  readonly which: string;
  /** A snapshot or a version goes for good, even if it was deleted before and is kept. */
  readonly permanently: boolean;
  readonly snapshots: "include" | "only" | undefined;
  readonly tier: TierConditions;
}

/** Delete Blob (storage §10): of a blob, of its snapshots, or of both; of one snapshot or version. */
export const deleteBlob: Command<DeleteBlobInput, null> = function* (input, context) {
  const container = yield* getContainer({ accountId: input.accountId, name: input.container });
  const place = { containerId: container.container_id, name: input.name };
  const moment = yield* resolveMoment(place, input.which);
  if (moment === CURRENT && input.which !== CURRENT) {
    // Its name is how the blob itself goes; its version stays behind then.
    throw new StorageError("OperationNotAllowedOnRootBlob");
  }
  const blob = yield* first(input.permanently ? findKeptBlob : findBlob, { ...place, moment });
  checkWriteConditions(input.conditions, blob && conditionTarget(blob));
  if (blob === undefined || isExpired(blob, context.nowMs)) {
    throw new StorageError("BlobNotFound");
  }
  checkTierConditions(input.tier, parseExtras(blob), blob.created_ms);
  const staysAsVersion = input.which === CURRENT && input.versioning;
  if (!staysAsVersion && input.snapshots !== "only") {
    checkMutable(blob, context.nowMs);
  }
  if (moment === CURRENT) {
    checkLease(blob, input.leaseId, context.nowMs, "Blob");
    yield* deleteSnapshots(place.containerId, input, context);
  }
  if (input.snapshots === "only") {
    return null;
  }
  if (staysAsVersion) {
    yield* leaveVersion(blob, context);
  } else {
    yield* discardBlob(blob, input.permanently ? undefined : input.retentionDays, context);
  }
  if (moment === CURRENT) {
    yield* dropStagedBlocks(place.containerId, input.name);
  }
  return null;
};

function* deleteSnapshots(containerId: number, input: DeleteBlobInput, context: CommandContext): Steps<void> {
  const snapshots = yield* all(findSnapshots, { containerId, name: input.name });
  if (snapshots.length > 0 && input.snapshots === undefined) {
    throw new StorageError("SnapshotsPresent");
  }
  for (const snapshot of snapshots) {
    const { moment, content_id } = snapshot;
    checkMutable(snapshot, context.nowMs);
    yield* discardBlob(
      { container_id: containerId, name: input.name, moment, content_id },
      input.retentionDays,
      context,
    );
  }
}

/** Set Blob Metadata: with versioning, the blob as it was stays as a version. */
export const setBlobMetadata: Command<BlobWrite & { readonly metadata: string }, Changed> = function* (input, context) {
  const blob = yield* getBlobForWrite(input, context);
  checkSameEncryption(parseExtras(blob), input.encryption);
  const versionId = input.versioning ? yield* beginVersion(blob, context) : blob.version_id;
  const etag = context.newEtag();
  const change = { container_id: blob.container_id, name: blob.name, etag, last_modified_ms: context.nowMs };
  yield* run(updateBlobMetadata, {
    ...leaseAfterWrite(blob, context.nowMs),
    ...change,
    metadata: input.metadata,
  });
  return { etag, lastModifiedMs: context.nowMs, versionId };
};

export interface SetBlobHeadersInput extends BlobWrite {
  /** JSON. */
  readonly contentHeaders: string;
}

/** `sequenceNumber`: of a page blob. */
export const setBlobHeaders: Command<SetBlobHeadersInput, Changed & { readonly sequenceNumber: number | undefined }> =
  function* (input, context) {
    const blob = yield* getBlobForWrite(input, context);
    const etag = context.newEtag();
    const change = { container_id: blob.container_id, name: blob.name, etag, last_modified_ms: context.nowMs };
    yield* run(updateBlobHeaders, {
      ...leaseAfterWrite(blob, context.nowMs),
      ...change,
      content_headers: input.contentHeaders,
    });
    return { etag, lastModifiedMs: context.nowMs, sequenceNumber: parseExtras(blob).sequenceNumber };
  };
