import { type BlobName, type BlobProperties, removeBlob } from "../blobs/blob-statements.ts";
import { releaseContent } from "../contents/content-changes.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { all, run, type Steps } from "../metadata/steps.ts";
import { CURRENT } from "../metadata/tables.ts";
import { type ServiceProperties } from "../service-properties/service-properties.ts";
import { leaveVersion } from "../versions/versions.ts";
import { findChild } from "../xml/read-xml.ts";
import { findBlobsToPurge, markBlobDeleted, moveDeletedBlob } from "./retention-statements.ts";

const DAY_MS = 24 * 3_600_000;

/** For how many days an account keeps what is deleted; `undefined` when it doesn't. */
export function retentionDaysOf({ DeleteRetentionPolicy }: ServiceProperties): number | undefined {
  const policy = DeleteRetentionPolicy;
  return policy !== undefined && findChild(policy, "Enabled")?.text === "true"
    ? Number(findChild(policy, "Days")?.text)
    : undefined;
}

/** Whether what is kept may be deleted for good before its time (`AllowPermanentDelete`). */
export function allowsPermanentDelete({ DeleteRetentionPolicy }: ServiceProperties): boolean {
  return (
    DeleteRetentionPolicy !== undefined && findChild(DeleteRetentionPolicy, "AllowPermanentDelete")?.text === "true"
  );
}

/** Removes a blob or a snapshot, or hides it for as long as the account keeps what is deleted. */
export function* discardBlob(
  blob: Pick<BlobProperties, "container_id" | "name" | "moment" | "content_id">,
  retentionDays: number | undefined,
  context: CommandContext,
): Steps<void> {
  const key = { containerId: blob.container_id, name: blob.name, moment: blob.moment };
  if (retentionDays === undefined) {
    yield* releaseContent(blob.content_id);
    yield* run(removeBlob, key);
    return;
  }
  yield* run(markBlobDeleted, { ...key, nowMs: context.nowMs, purgeMs: context.nowMs + retentionDays * DAY_MS });
}

/** The place of a name, as {@link makeRoom} needs it. */
export interface RoomyPlace extends BlobName {
  readonly existing: BlobProperties | undefined;
  /** A deleted blob is kept at this place. */
  readonly isKept: boolean;
  readonly retentionDays: number | undefined;
  readonly versioning: boolean;
}

/**
 * Makes the place of a name free for a new blob: one that is there becomes a version or is discarded, a deleted one
 * becomes a snapshot.
 */
export function* makeRoom(place: RoomyPlace, context: CommandContext): Steps<void> {
  const { containerId, name, existing, retentionDays } = place;
  if (existing !== undefined && place.versioning) {
    yield* leaveVersion(existing, context);
    return;
  }
  if (existing !== undefined) {
    yield* discardBlob({ ...existing, moment: CURRENT }, retentionDays, context);
  }
  if (place.isKept || (existing !== undefined && retentionDays !== undefined)) {
    yield* run(moveDeletedBlob, { containerId, name, moment: context.newMoment() });
  }
}

/** Removes some blobs whose time has come. @returns how many */
export const purgeDeletedBlobs: Command<{ readonly limit: number }, number> = function* ({ limit }, context) {
  const blobs = yield* all(findBlobsToPurge, { nowMs: context.nowMs, limit });
  for (const blob of blobs) {
    yield* discardBlob(blob, undefined, context);
  }
  return blobs.length;
};
