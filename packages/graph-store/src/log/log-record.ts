import { Buffer } from "node:buffer";
import { crc32c } from "./crc32c.ts";

/**
 * One commit in the log, little-endian:
 *
 * | at | bytes | what |
 * |---|---|---|
 * | 0 | 4 | mark: where a record can begin |
 * | 4 | 4 | CRC-32C of all that follows |
 * | 8 | 4 | length of the content |
 * | 12 | 8 | epoch of the commit |
 * | 20 | 8 | offset up to which this file was synced before the record was written |
 * | 28 | … | content (log/commit-encoding.ts) |
 *
 * The synced offset tells a torn tail from damage: a bad record at or after it belongs to a write that nobody was
 * ever told of; a bad record before the synced offset of a later good one is damage.
 */
export interface LogRecord {
  readonly epoch: number;
  readonly syncedBefore: number;
  readonly content: Buffer;
  /** Where the next record begins. */
  readonly end: number;
}

export const RECORD_HEADER_BYTES = 28;

const MARK = 0x0d4c5254;

/** The content is `first` and `second`, one after the other. */
export function encodeRecord(epoch: number, syncedBefore: number, first: Buffer, second: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(RECORD_HEADER_BYTES + first.length + second.length);
  bytes.writeUInt32LE(MARK, 0);
  bytes.writeUInt32LE(first.length + second.length, 8);
  bytes.writeBigUInt64LE(BigInt(epoch), 12);
  bytes.writeBigUInt64LE(BigInt(syncedBefore), 20);
  bytes.set(first, RECORD_HEADER_BYTES);
  bytes.set(second, RECORD_HEADER_BYTES + first.length);
  bytes.writeUInt32LE(crc32c(bytes.subarray(8)), 4);
  return bytes;
}

/** The record that begins at `offset`, or `undefined` when there is none that checks. */
export function decodeRecord(bytes: Buffer, offset: number): LogRecord | undefined {
  const start = offset + RECORD_HEADER_BYTES;
  if (start > bytes.length || bytes.readUInt32LE(offset) !== MARK) {
    return undefined;
  }
  const end = start + bytes.readUInt32LE(offset + 8);
  if (end > bytes.length || crc32c(bytes.subarray(offset + 8, end)) !== bytes.readUInt32LE(offset + 4)) {
    return undefined;
  }
  return {
    epoch: Number(bytes.readBigUInt64LE(offset + 12)),
    syncedBefore: Number(bytes.readBigUInt64LE(offset + 20)),
    content: bytes.subarray(start, end),
    end,
  };
}

/** The first record that checks at or after `offset`. */
export function findRecord(bytes: Buffer, offset: number): LogRecord | undefined {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(MARK);
  for (let at = bytes.indexOf(mark, offset); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    const record = decodeRecord(bytes, at);
    if (record !== undefined) {
      return record;
    }
  }
  return undefined;
}
