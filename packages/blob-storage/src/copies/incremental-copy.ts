import { randomUUID } from "node:crypto";
import { must } from "@trefoil/base";
import { blobWriteOf } from "../blobs/blob-address.ts";
import { type BlobWrite, getPlace, type Place, replaceBlob } from "../blobs/blob-commands.ts";
import { type BlobExtras, type CopyRecord, parseExtras } from "../blobs/blob-extras.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { findBlobWithContent, insertBlob } from "../blobs/blob-statements.ts";
import { type Changed } from "../containers/container-commands.ts";
import { shareContent } from "../contents/content-changes.ts";
import { addExtentUses, copyPieces, insertContent } from "../contents/content-statements.ts";
import { StorageError } from "../errors/storage-error.ts";
import { noLease } from "../leases/lease-state.ts";
import { type Command } from "../metadata/command.ts";
import { first, run, type Steps } from "../metadata/steps.ts";
import { type BlobRow, CURRENT } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Services } from "../services.ts";
import { type CopySource, resolveCopySource } from "./copy-source.ts";
import { checkShareable, readSource } from "./read-source.ts";

/** Incremental Copy Blob: brings a page blob to the state of a snapshot of another, and takes a snapshot of it. */
export async function copyIncremental(call: OperationCall, services: Services): Promise<Answer> {
  const copyId = randomUUID();
  const source = await resolveCopySource(call, "covered", services);
  if (!isSnapshot(source)) {
    throw new StorageError("IncrementalCopySourceMustBeSnapshot");
  }
  const copied = await services.metadata.write("copyIncremental", { ...blobWriteOf(call), source, copyId });
  return {
    status: 202,
    headers: { ...changeHeaders(copied), "~copy-id": copyId, "~copy-status": "success" },
  };
}

export interface IncrementalCopyInput extends BlobWrite {
  readonly source: CopySource;
  readonly copyId: string;
}

/** Pages are shared by extent, so it takes as many rows as the source has pieces, and no bytes. */
export const copyIncrementally: Command<IncrementalCopyInput, Changed> = function* (input, context) {
  const source = yield* readSource(input.source);
  if (source.type !== "PageBlob") {
    throw new StorageError("InvalidSourceBlobType");
  }
  checkShareable(source, input);
  const place = yield* getPlace(input, context);
  checkContinues(place, input.source);
  const contentId = context.newId();
  yield* run(insertContent, { contentId });
  yield* run(copyPieces, { contentId, fromContentId: source.content_id ?? 0, length: source.length });
  yield* run(addExtentUses, { contentId });
  const destinationSnapshot = context.newMoment();
  const copy: CopyRecord = {
    id: input.copyId,
    source: input.source.url,
    status: "success",
    bytes: source.length,
    completedMs: context.nowMs,
    incremental: true,
    destinationSnapshot,
  };
  const changed = yield* replaceBlob(
    place,
    {
      type: "PageBlob",
      length: source.length,
      contentHeaders: source.content_headers,
      metadata: source.metadata,
      tags: null,
      extras: JSON.stringify({
        sequenceNumber: parseExtras(source).sequenceNumber ?? 0,
        copy,
        ...input.encryption,
      } satisfies BlobExtras),
    },
    { content_id: contentId, inline_content: null },
    context,
  );
  yield* takeSnapshot(place, destinationSnapshot);
  return changed;
};

function isSnapshot({ which }: CopySource): boolean {
  return /^\d/u.test(which);
}

/** What was copied before into the same place came from the same blob, and not from a later snapshot. */
function checkContinues({ existing }: Place, source: CopySource): void {
  if (existing === undefined) {
    return;
  }
  const { copy } = parseExtras(existing);
  const [before, query = ""] = (copy?.source ?? "").split("?");
  if (existing.type !== "PageBlob" || copy?.incremental !== true || before !== source.url.split("?")[0]) {
    throw new StorageError("IncrementalCopyBlobMismatch");
  }
  if ((new URLSearchParams(query).get("snapshot") ?? "") > source.which) {
    throw new StorageError("IncrementalCopyOfEarlierSnapshotNotAllowed");
  }
}

function* takeSnapshot({ containerId, name }: Place, moment: string): Steps<void> {
  const row: BlobRow = must(
    yield* first(findBlobWithContent, { containerId, name, moment: CURRENT }),
    "the blob was just made",
  );
  const content = yield* shareContent(row);
  yield* run(insertBlob, { ...row, ...noLease, ...content, moment, version_id: null });
}

/** Refuses to write into what only incremental copies may change. */
export function refuseIncrementalCopy(blob: Pick<BlobRow, "extras">): void {
  if (parseExtras(blob).copy?.incremental === true) {
    throw new StorageError("OperationNotAllowedOnIncrementalCopyBlob");
  }
}
