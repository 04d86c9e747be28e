import { assert } from "@trefoil/base";
import { type BlobRow } from "../metadata/tables.ts";
import { all } from "../metadata/steps.ts";
import { type Services } from "../services.ts";
import { findPieces } from "./content-statements.ts";
import { readRowBytes } from "./row-bytes.ts";

/** Pieces looked up at once: the memory of a read does not grow with the blob. */
const PIECES_PER_PAGE = 1000;

/**
 * The bytes of a blob's range, in order. Each part is verified and valid until the next one is asked for.
 *
 * @param blob   its content is protected from the collector while this runs; see RunningReads
 * @param start  the first byte
 * @param end    the byte after the last one
 * @throws ExtentCorruptionError or RowCorruptionError before the first bad byte
 */
export async function* readContent(
  blob: Pick<BlobRow, "content_id" | "inline_content" | "type">,
  start: number,
  end: number,
  services: Services,
): AsyncGenerator<Uint8Array> {
  if (blob.content_id === null) {
    yield readRowBytes(blob.inline_content).subarray(start, end);
    return;
  }
  let position = start;
  while (position < end) {
    const range = { contentId: blob.content_id, from: position, to: end, limit: PIECES_PER_PAGE };
    const pieces = services.metadata
      .read(all(findPieces, range))
      .filter((piece) => piece.start + piece.length > position);
    for (const piece of pieces) {
      if (piece.start > position) {
        yield* gap(blob, position, piece.start);
        position = piece.start;
      }
      const from = position - piece.start;
      const to = Math.min(piece.length, end - piece.start);
      if (piece.extent_id === null) {
        yield readRowBytes(piece.inline_content).subarray(from, to);
      } else {
        yield* services.extents.read(piece.extent_id, piece.extent_offset + from, piece.extent_offset + to);
      }
      position = piece.start + to;
    }
    if (pieces.length === 0) {
      yield* gap(blob, position, end);
      return;
    }
  }
}

const ZEROS = new Uint8Array(64 * 1024);

/** Pages of a page blob that were never written are zeros; no other blob has gaps. */
function* gap(blob: Pick<BlobRow, "content_id" | "type">, start: number, end: number): Generator<Uint8Array> {
  assert(blob.type === "PageBlob", `the content ${blob.content_id} has its bytes from ${start} to ${end}`);
  for (let position = start; position < end; position += ZEROS.length) {
    yield ZEROS.subarray(0, Math.min(ZEROS.length, end - position));
  }
}
