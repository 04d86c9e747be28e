import { Crc64 } from "../checksums/crc64.ts";

/*
 * A body in segments, each with its checksum (decisions/0189). Numbers are little-endian:
 *
 *   message  version u8, length of all of it u64, flags u16, count of segments u16 · segments · CRC-64 of all content
 *   segment  number from 1 u16, length of its content u64 · content · CRC-64 of its content
 */

/** `~structured-body`: the one kind there is. */
export const STRUCTURED_BODY = "XSM/1.0; properties=crc64";
export const VERSION = 1;
/** Each segment is followed by its checksum, and the last by that of all. */
export const CRC64_FLAG = 1;
export const HEADER_BYTES = 13;
export const SEGMENT_HEADER_BYTES = 10;
export const CHECKSUM_BYTES = 8;
/** Of the content of a segment, unless the count of segments would be too large. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
const SEGMENT_LIMIT = 0xffff;

/** How long a message is that carries so many bytes. */
export function messageBytes(contentBytes: number): number {
  const overhead = SEGMENT_HEADER_BYTES + CHECKSUM_BYTES;
  return HEADER_BYTES + segmentCount(contentBytes) * overhead + contentBytes + CHECKSUM_BYTES;
}

function segmentBytes(contentBytes: number): number {
  return Math.max(SEGMENT_BYTES, Math.ceil(contentBytes / SEGMENT_LIMIT));
}

/** Nothing is a segment as well: clients wait for one. */
function segmentCount(contentBytes: number): number {
  return Math.max(1, Math.ceil(contentBytes / segmentBytes(contentBytes)));
}

/**
 * The message that carries these bytes.
 *
 * @param parts  `contentBytes` of them, each part valid until the next one is asked for
 */
export async function* writeMessage(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  contentBytes: number,
): AsyncGenerator<Uint8Array> {
  const sizeBytes = segmentBytes(contentBytes);
  const whole = new Crc64();
  let checksum = new Crc64();
  let number = 1;
  let leftOfSegment = Math.min(contentBytes, sizeBytes);
  let left = contentBytes - leftOfSegment;
  yield Buffer.concat([messageHeader(contentBytes), segmentHeader(number, leftOfSegment)]);
  for await (const part of parts) {
    whole.update(part);
    for (let position = 0; position < part.length;) {
      if (leftOfSegment === 0) {
        number += 1;
        leftOfSegment = Math.min(left, sizeBytes);
        left -= leftOfSegment;
        yield Buffer.concat([digestOf(checksum), segmentHeader(number, leftOfSegment)]);
        checksum = new Crc64();
      }
      const bytes = part.subarray(position, position + leftOfSegment);
      checksum.update(bytes);
      yield bytes;
      position += bytes.length;
      leftOfSegment -= bytes.length;
    }
  }
  yield Buffer.concat([digestOf(checksum), digestOf(whole)]);
}

function segmentHeader(number: number, sizeBytes: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  header.writeUInt16LE(number, 0);
  header.writeBigUInt64LE(BigInt(sizeBytes), 2);
  return header;
}

function messageHeader(contentBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(VERSION, 0);
  header.writeBigUInt64LE(BigInt(messageBytes(contentBytes)), 1);
  header.writeUInt16LE(CRC64_FLAG, 9);
  header.writeUInt16LE(segmentCount(contentBytes), 11);
  return header;
}

/** As it stands in a message. */
export function digestOf(checksum: Crc64): Buffer {
  return Buffer.from(checksum.digest(), "base64");
}
