import { readRowBytes } from "../contents/row-bytes.ts";
import { RowCorruptionError } from "../errors/corruption-error.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all } from "../metadata/steps.ts";
import {
  type BlobRowKey,
  type BlobWithBytes,
  listBlobsWithBytes,
  listPiecesWithBytes,
  type PieceKey,
  type PieceWithBytes,
} from "./scrub-statements.ts";

/** A row whose bytes fail their checksum: of a blob, or a piece of a content that blobs have. */
export type DamagedRow =
  | { readonly kind: "blob"; readonly blob: BlobRowKey; readonly why: string }
  | { readonly kind: "piece"; readonly contentId: number; readonly why: string };

export interface VerifyRowsOptions {
  readonly metadata: Metadata;
  /** Told about the bytes of every page of rows; the reading goes on when it returns. */
  readonly onBytes: (bytes: number) => Promise<void>;
  readonly isStopped: () => boolean;
}

/** Rows read at once: a megabyte at most. */
const PAGE = 64;

/** Reads the bytes that rows hold and gives those rows whose bytes are not what was written. */
export async function* verifyRows(options: VerifyRowsOptions): AsyncGenerator<DamagedRow> {
  yield* verifyBlobs(options);
  yield* verifyPieces(options);
}

async function* verifyBlobs({ metadata, onBytes, isStopped }: VerifyRowsOptions): AsyncGenerator<DamagedRow> {
  let key: BlobRowKey | undefined = { container_id: 0, name: "", moment: "" };
  while (key !== undefined && !isStopped()) {
    const rows: readonly BlobWithBytes[] = metadata.read(all(listBlobsWithBytes, { ...key, limit: PAGE }));
    for (const { inline_content: bytes, ...blob } of rows) {
      const why = whyDamaged(bytes);
      if (why !== undefined) {
        yield { kind: "blob", blob, why };
      }
    }
    await onBytes(rows.reduce((sum, row) => sum + row.inline_content.length, 0));
    key = rows.at(-1);
  }
}

async function* verifyPieces({ metadata, onBytes, isStopped }: VerifyRowsOptions): AsyncGenerator<DamagedRow> {
  let key: PieceKey | undefined = { content_id: 0, start: -1 };
  while (key !== undefined && !isStopped()) {
    const rows: readonly PieceWithBytes[] = metadata.read(all(listPiecesWithBytes, { ...key, limit: PAGE }));
    for (const { content_id: contentId, inline_content: bytes } of rows) {
      const why = whyDamaged(bytes);
      if (why !== undefined) {
        yield { kind: "piece", contentId, why };
      }
    }
    await onBytes(rows.reduce((sum, row) => sum + row.inline_content.length, 0));
    key = rows.at(-1);
  }
}

function whyDamaged(stored: Uint8Array): string | undefined {
  try {
    readRowBytes(stored);
    return undefined;
  } catch (error) {
    if (error instanceof RowCorruptionError) {
      return error.detail;
    }
    throw error;
  }
}
