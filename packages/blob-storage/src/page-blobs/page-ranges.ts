import { readRowBytes } from "../contents/row-bytes.ts";
import { type PieceRow } from "../metadata/tables.ts";

/** `end` is the byte after the last one. */
export interface PageRange {
  readonly start: number;
  readonly end: number;
}

/** Neighbours joined. */
export function mergeRanges(ranges: readonly PageRange[]): readonly PageRange[] {
  const merged: PageRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && last.end === range.start) {
      merged[merged.length - 1] = { start: last.start, end: range.end };
    } else {
      merged.push(range);
    }
  }
  return merged;
}

/** Ranges that hold pages, as they were written. */
export function rangesOf(pieces: readonly PieceRow[]): readonly PageRange[] {
  return pieces.map(({ start, length }) => ({ start, end: start + length }));
}

export interface RangeDifference {
  /** Written since. */
  readonly written: readonly PageRange[];
  /** Cleared since. */
  readonly cleared: readonly PageRange[];
}

/** What changed between two lists of pieces; the same bytes of the same extent are no change. */
export function differenceOf(before: readonly PieceRow[], after: readonly PieceRow[]): RangeDifference {
  const bounds = [...before, ...after].flatMap(({ start, length }) => [start, start + length]);
  const edges = [...new Set(bounds)].toSorted((left, right) => left - right);
  const written: PageRange[] = [];
  const cleared: PageRange[] = [];
  const [oldPieces, newPieces] = [new PieceCursor(before), new PieceCursor(after)];
  for (const [index, start] of edges.entries()) {
    const end = edges[index + 1];
    if (end === undefined) {
      break;
    }
    const [was, is] = [oldPieces.at(start), newPieces.at(start)];
    if (is !== undefined && !isSame(was, is, start, end)) {
      written.push({ start, end });
    } else if (is === undefined && was !== undefined) {
      cleared.push({ start, end });
    }
  }
  return { written: mergeRanges(written), cleared: mergeRanges(cleared) };
}

/** Finds the piece at positions that only rise. */
class PieceCursor {
  readonly #pieces: readonly PieceRow[];
  #index = 0;

  constructor(pieces: readonly PieceRow[]) {
    this.#pieces = pieces;
  }

  at(position: number): PieceRow | undefined {
    let piece = this.#pieces[this.#index];
    while (piece !== undefined && piece.start + piece.length <= position) {
      this.#index += 1;
      piece = this.#pieces[this.#index];
    }
    return piece !== undefined && piece.start <= position ? piece : undefined;
  }
}

function isSame(was: PieceRow | undefined, is: PieceRow, start: number, end: number): boolean {
  if (was === undefined || was.extent_id !== is.extent_id) {
    return false;
  }
  if (is.extent_id !== null) {
    return was.extent_offset - was.start === is.extent_offset - is.start;
  }
  const bytes = (piece: PieceRow): Buffer =>
    readRowBytes(piece.inline_content).subarray(start - piece.start, end - piece.start);
  return bytes(was).equals(bytes(is));
}
