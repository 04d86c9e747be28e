import { assert, must } from "@trefoil/base";
import { type ContentKey } from "../encryption/content-key.ts";
import { type BlobRow, type PieceRow } from "../metadata/tables.ts";
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
 * @param key    the client's own that the blob is encrypted with, judged before
 * @throws ExtentCorruptionError or RowCorruptionError before the first bad byte
 */
export async function* readContent(
  blob: Pick<BlobRow, "content_id" | "inline_content" | "type">,
  start: number,
  end: number,
  services: Services,
  key?: ContentKey,
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
      const stored = readPiece(piece, from, to, services);
      yield* piece.nonce === null ? stored : decrypted(stored, piece.nonce, piece.extent_offset + from, key);
      position = piece.start + to;
    }
    if (pieces.length === 0) {
      yield* gap(blob, position, end);
      return;
    }
  }
}

/** The bytes of a piece as they are stored. */
function readPiece(
  piece: PieceRow,
  from: number,
  to: number,
  { extents }: Services,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return piece.extent_id === null
    ? [readRowBytes(piece.inline_content).subarray(from, to)]
    : extents.read(piece.extent_id, piece.extent_offset + from, piece.extent_offset + to);
}

async function* decrypted(
  stored: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  nonce: Uint8Array,
  offset: number,
  key: ContentKey | undefined,
): AsyncGenerator<Uint8Array> {
  const decrypt = must(key, "the key was judged").cipherStream(nonce, offset);
  for await (const part of stored) {
    yield decrypt(part);
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
