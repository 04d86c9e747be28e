import { checksumOf } from "../extents/extent-format.ts";
import { RowCorruptionError } from "../errors/corruption-error.ts";

const CHECKSUM_BYTES = 4;

/**
 * Bytes as a row holds them: followed by their CRC-32C (4 bytes, little-endian), because the database has no checksums
 * of its own. Rows that share bytes, as snapshots and copies do, share them with it.
 */
export function rowBytes(bytes: Uint8Array): Buffer {
  const stored = Buffer.allocUnsafe(bytes.length + CHECKSUM_BYTES);
  stored.set(bytes);
  stored.writeUInt32LE(checksumOf(bytes), bytes.length);
  return stored;
}

/**
 * The bytes that a row holds, verified.
 *
 * @param stored  as {@link rowBytes} made them; null, of a row that holds none, gives none
 * @throws RowCorruptionError when they are not what was written
 */
export function readRowBytes(stored: Uint8Array | null): Buffer {
  if (stored === null) {
    return Buffer.alloc(0);
  }
  const buffer = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const length = buffer.length - CHECKSUM_BYTES;
  if (length < 0) {
    throw new RowCorruptionError("the checksum is cut off");
  }
  const bytes = buffer.subarray(0, length);
  if (checksumOf(bytes) !== buffer.readUInt32LE(length)) {
    throw new RowCorruptionError(`${length} bytes fail their checksum`);
  }
  return bytes;
}
