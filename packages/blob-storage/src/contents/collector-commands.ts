import { findSomeBlobs, removeBlob } from "../blobs/blob-statements.ts";
import { dropStagedBlocks } from "../block-lists/staged-blocks.ts";
import { removeContainer } from "../containers/container-statements.ts";
import { type Command } from "../metadata/command.ts";
import { all, run } from "../metadata/steps.ts";
import { markDamaged, removeGarbage } from "./content-statements.ts";
import { releaseContent, removeContentRows } from "./content-changes.ts";
import { findUncommittedNames } from "../block-lists/staged-statements.ts";

/** Forgets extents whose files are gone. */
export const forgetGarbage: Command<{ readonly extentIds: readonly string[] }, null> = function* (input) {
  for (const extentId of input.extentIds) {
    yield* run(removeGarbage, { extentId });
  }
  return null;
};

/** Removes contents that nothing refers to and no read needs. */
export const purgeContents: Command<{ readonly contentIds: readonly number[] }, null> = function* ({ contentIds }) {
  for (const contentId of contentIds) {
    yield* removeContentRows(contentId);
  }
  return null;
};

const PURGE_ROWS = 200;

/** Removes some of a deleted container's blobs, and the container itself after the last; `done` says which. */
export const purgeContainer: Command<{ readonly containerId: number }, { readonly done: boolean }> = function* ({
  containerId,
}) {
  const blobs = yield* all(findSomeBlobs, { containerId, limit: PURGE_ROWS });
  for (const { name, moment, content_id } of blobs) {
    yield* releaseContent(content_id);
    yield* run(removeBlob, { containerId, name, moment });
  }
  const staged = yield* all(findUncommittedNames, { containerId, limit: PURGE_ROWS });
  for (const { name } of staged) {
    yield* dropStagedBlocks(containerId, name);
  }
  const done = blobs.length < PURGE_ROWS && staged.length < PURGE_ROWS;
  if (done) {
    yield* run(removeContainer, { containerId });
  }
  return { done };
};

/** Notes that an extent failed its checksum. */
export const markExtentDamaged: Command<{ readonly extentId: string }, null> = function* ({ extentId }, context) {
  yield* run(markDamaged, { extentId, nowMs: context.nowMs });
  return null;
};

/** Forgets blocks that were staged too long ago (storage §10). */
export const dropOldBlocks: Command<{ readonly containerId: number; readonly name: string }, null> = function* (input) {
  yield* dropStagedBlocks(input.containerId, input.name);
  return null;
};
