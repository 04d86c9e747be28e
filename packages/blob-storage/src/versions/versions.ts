import { must } from "@trefoil/base";
import { type BlobName, type BlobProperties, findBlobWithContent, insertBlob } from "../blobs/blob-statements.ts";
import { shareContent } from "../contents/content-changes.ts";
import { noLease } from "../leases/lease-state.ts";
import { type CommandContext } from "../metadata/command.ts";
import { first, run, type Steps } from "../metadata/steps.ts";
import { CURRENT } from "../metadata/tables.ts";
import { findVersion, moveToVersion, updateVersionId } from "./version-statements.ts";

/*
 * With versioning on, a blob's row has a version id, and what replaces or deletes it leaves it behind under that id:
 *
 *   put ──> CURRENT (v1)      put ──> v1, CURRENT (v2)      delete ──> v1, v2
 *
 * A snapshot has no version id; that tells the two apart (decisions/0108).
 */

/** Where a moment would stand: names a version, whichever row it is in now. */
const VERSION_MARK = "v";

/** What a request with `versionid` asks for, in place of a moment. */
export function versionMark(versionId: string): string {
  return VERSION_MARK + versionId;
}

export function isVersionMark(which: string): boolean {
  return which.startsWith(VERSION_MARK);
}

/** The moment of a row that is asked for by moment or by version; one that nothing has for a version that isn't. */
export function* resolveMoment({ containerId, name }: BlobName, which: string): Steps<string> {
  if (!isVersionMark(which)) {
    return which;
  }
  const versionId = which.slice(VERSION_MARK.length);
  return (yield* first(findVersion, { containerId, name, versionId }))?.moment ?? "";
}

/** The blob's place becomes free: it is a previous version from now on. */
export function* leaveVersion(blob: BlobProperties, context: CommandContext): Steps<void> {
  const versionId = blob.version_id ?? context.newMoment();
  yield* run(moveToVersion, { containerId: blob.container_id, name: blob.name, versionId });
}

/**
 * Keeps the blob as it is now as a previous version, sharing its bytes; the blob itself goes on under a new id.
 *
 * @returns the new id
 */
export function* beginVersion(blob: BlobProperties, context: CommandContext): Steps<string> {
  const place = { containerId: blob.container_id, name: blob.name };
  const row = must(yield* first(findBlobWithContent, { ...place, moment: CURRENT }), "the blob was found before");
  const previous = row.version_id ?? context.newMoment();
  const content = yield* shareContent(row);
  yield* run(insertBlob, { ...row, ...noLease, ...content, moment: previous, version_id: previous });
  const versionId = context.newMoment();
  yield* run(updateVersionId, { ...place, versionId });
  return versionId;
}
