import { readRowBytes, rowBytes } from "../contents/row-bytes.ts";
import { addExtentUse, findPieces, insertPiece, removePiece } from "../contents/content-statements.ts";
import { addExtentUses, copyPieces, getContentUses, insertContent } from "../contents/content-statements.ts";
import { releaseContent, releaseExtent } from "../contents/content-changes.ts";
import { type CommandContext } from "../metadata/command.ts";
import { all, first, run, type Steps } from "../metadata/steps.ts";
import { type PieceRow } from "../metadata/tables.ts";

/** More pieces than a page blob can have: all of a range at once. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * The content that a page blob may change: its own, or a copy of the list when a snapshot uses it as well.
 *
 * @returns the content to change; the blob's row has to refer to it afterwards
 */
export function* ownContent(contentId: number, lengthBytes: number, context: CommandContext): Steps<number> {
  const content = yield* first(getContentUses, { contentId });
  if (content === undefined || content.uses <= 1) {
    return contentId;
  }
  const copyId = context.newId();
  yield* run(insertContent, { contentId: copyId });
  yield* run(copyPieces, { contentId: copyId, fromContentId: contentId, length: lengthBytes });
  yield* run(addExtentUses, { contentId: copyId });
  yield* releaseContent(contentId);
  return copyId;
}

/** Removes what lies in a range; pieces that reach beyond it are cut, and their bytes stay where they are. */
export function* clearRange(contentId: number, start: number, end: number): Steps<void> {
  const pieces = yield* all(findPieces, { contentId, from: start, to: end, limit: ALL });
  for (const piece of pieces.filter((candidate) => candidate.start + candidate.length > start)) {
    yield* run(removePiece, { contentId, start: piece.start });
    const kept = [
      part(piece, piece.start, Math.min(start, piece.start + piece.length)),
      part(piece, Math.max(end, piece.start), piece.start + piece.length),
    ].filter(({ length }) => length > 0);
    for (const rest of kept) {
      yield* run(insertPiece, rest);
    }
    if (piece.extent_id !== null) {
      yield* changeUses(piece.extent_id, kept.length);
    }
  }
}

/** The pieces of a range, cut to it. */
export function* piecesOf(contentId: number, start: number, end: number): Steps<readonly PieceRow[]> {
  const pieces = yield* all(findPieces, { contentId, from: start, to: end, limit: ALL });
  return pieces
    .filter((piece) => piece.start + piece.length > start)
    .map((piece) => {
      const from = Math.max(start, piece.start);
      const cut = part(piece, from, Math.min(end, piece.start + piece.length));
      return {
        ...piece,
        start: from,
        length: cut.length,
        extent_offset: cut.extentOffset,
        inline_content: cut.inlineContent,
      };
    });
}

/** One piece became none, one or two. */
function* changeUses(extentId: string, parts: number): Steps<void> {
  if (parts === 0) {
    yield* releaseExtent(extentId);
  } else if (parts === 2) {
    yield* run(addExtentUse, { extentId });
  }
}

function part(piece: PieceRow, start: number, end: number): Parameters<typeof insertPiece.bind>[0] {
  const offset = start - piece.start;
  return {
    contentId: piece.content_id,
    start,
    length: end - start,
    extentId: piece.extent_id,
    extentOffset: piece.extent_offset + offset,
    inlineContent:
      piece.inline_content &&
      rowBytes(readRowBytes(piece.inline_content).subarray(offset, Math.max(offset, end - piece.start))),
    blockId: null,
    nonce: piece.nonce,
  };
}
