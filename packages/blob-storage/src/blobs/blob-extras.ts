import { type BlobEncryption } from "../encryption/blob-encryption.ts";
import { type BlobRow } from "../metadata/tables.ts";

/** What few blobs have, kept as JSON in their row. */
export interface BlobExtras extends BlobEncryption {
  /** Append blob: how many blocks were appended. */
  readonly blockCount?: number;
  /** Append blob: nothing may be appended any more. */
  readonly sealed?: boolean;
  /** Page blob. */
  readonly sequenceNumber?: number;
  /** Set by Set Blob Tier or at the upload; absent: inferred. */
  readonly tier?: string;
  readonly tierChangedMs?: number;
  /** The tier that a blob is on its way to from the archive. */
  readonly rehydratingTo?: string;
  readonly rehydratePriority?: string;
  readonly copy?: CopyRecord;
  /** When the blob ends by itself, milliseconds since 1970. */
  readonly expiresMs?: number | undefined;
  readonly legalHold?: boolean;
  readonly immutableUntilMs?: number;
  readonly immutabilityMode?: "unlocked" | "locked";
}

/** The last copy that made this blob. */
export interface CopyRecord {
  readonly id: string;
  readonly source: string;
  readonly status: "success" | "pending" | "aborted" | "failed";
  readonly bytes: number;
  readonly completedMs: number;
  /** Of an incremental copy. */
  readonly incremental?: boolean;
  /** The snapshot that an incremental copy took of its result. */
  readonly destinationSnapshot?: string;
}

const NO_EXTRAS: BlobExtras = {};

export function parseExtras(blob: Pick<BlobRow, "extras">): BlobExtras {
  return blob.extras === "{}" ? NO_EXTRAS : (JSON.parse(blob.extras) as BlobExtras);
}
