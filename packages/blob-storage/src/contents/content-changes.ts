import { type CommandContext } from "../metadata/command.ts";
import { first, run, type Steps } from "../metadata/steps.ts";
import {
  addContentUse,
  dropContentUse,
  dropExtentUse,
  dropExtentUses,
  insertContent,
  insertExtent,
  insertGarbage,
  insertGarbageContent,
  insertGarbageOfContent,
  insertPiece,
  removeContent,
  removeExtent,
  removeGarbageContent,
  removePieces,
  removeUnusedExtentsOfContent,
} from "./content-statements.ts";

/** Bytes that were received: small ones travel to the row, with their checksum; others are in a synced extent. */
export type ReceivedBytes = (
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "extent"; readonly extentId: string }
) & {
  readonly length: number;
  /** Present when they are encrypted. */
  readonly nonce?: Uint8Array | undefined;
};

/** How a blob's row refers to its bytes. */
export interface ContentColumns {
  readonly content_id: number | null;
  readonly inline_content: Uint8Array | null;
}

/** Takes received bytes over as the whole of a blob. */
export function* storeReceived(received: ReceivedBytes, context: CommandContext): Steps<ContentColumns> {
  // Encrypted ones are always pieces, which have a place for the nonce.
  if (received.kind === "inline" && received.nonce === undefined) {
    return { content_id: null, inline_content: received.bytes };
  }
  return yield* storePiece(received, context);
}

/** Takes received bytes over as the first piece of a content that can grow. */
export function* storePiece(received: ReceivedBytes, context: CommandContext): Steps<ContentColumns> {
  const contentId = context.newId();
  yield* run(insertContent, { contentId });
  yield* addReceivedPiece(contentId, 0, received);
  return { content_id: contentId, inline_content: null };
}

/** Takes received bytes over as a piece of a content. */
export function* addReceivedPiece(contentId: number, start: number, received: ReceivedBytes): Steps<void> {
  const extentId = received.kind === "extent" ? received.extentId : null;
  if (extentId !== null) {
    yield* run(insertExtent, { extentId, size: received.length });
  }
  yield* run(insertPiece, {
    contentId,
    start,
    length: received.length,
    extentId,
    extentOffset: 0,
    inlineContent: received.kind === "inline" ? received.bytes : null,
    blockId: null,
    nonce: received.nonce ?? null,
  });
}

/** A second row refers to the same bytes: snapshots and copies copy nothing. */
export function* shareContent(content: ContentColumns): Steps<ContentColumns> {
  if (content.content_id !== null) {
    yield* run(addContentUse, { contentId: content.content_id });
  }
  return { content_id: content.content_id, inline_content: content.inline_content };
}

/** A row lets go of its bytes; the last one to do so makes them garbage. */
export function* releaseContent(contentId: number | null): Steps<void> {
  if (contentId === null) {
    return;
  }
  const left = yield* first(dropContentUse, { contentId });
  if (left === undefined || left.uses > 0) {
    return;
  }
  yield* run(insertGarbageContent, { contentId });
}

/** Removes a content that nothing refers to and no read needs; extents it was the last to use become garbage. */
export function* removeContentRows(contentId: number): Steps<void> {
  yield* run(dropExtentUses, { contentId });
  yield* run(insertGarbageOfContent, { contentId });
  yield* run(removeUnusedExtentsOfContent, { contentId });
  yield* run(removePieces, { contentId });
  yield* run(removeContent, { contentId });
  yield* run(removeGarbageContent, { contentId });
}

/** One use less of one extent, which becomes garbage when that was the last. */
export function* releaseExtent(extentId: string): Steps<void> {
  const left = yield* first(dropExtentUse, { extentId });
  if (left !== undefined && left.uses <= 0) {
    yield* run(insertGarbage, { extentId });
    yield* run(removeExtent, { extentId });
  }
}
