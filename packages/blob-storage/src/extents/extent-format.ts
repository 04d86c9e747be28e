import { crc32c } from "@node-rs/crc32";

/**
 * An extent file: the bytes as they are, zeros up to whole blocks of {@link BLOCK_BYTES} for all of the file, one CRC-32C
 * (4 bytes, little-endian) per chunk of {@link CHUNK_BYTES}, and a footer of {@link FOOTER_BYTES}:
 *
 * ```
 * 0  "TFEX"   4  format version (2)   8  chunk size   12  CRC-32C of the table   16  size of the data (64 bits)
 * ```
 *
 * The data comes first and unbroken, so that a read is one read of the file; the footer comes last, so that a file
 * that was cut off or never finished has none. Version 1, which is still read, had no zeros.
 */
export const CHUNK_BYTES: number = 64 * 1024;
export const FOOTER_BYTES = 24;

/** What disks write at once; part of the format, so no larger where a disk's blocks are smaller. */
export const BLOCK_BYTES = 4096;

const MAGIC = 0x5845_4654;
const FORMAT_VERSION = 2;
const VERSION_WITHOUT_PADDING = 1;

export function chunkCount(sizeBytes: number): number {
  return Math.ceil(sizeBytes / CHUNK_BYTES);
}

/** What follows the data: zeros, the table of checksums and the footer. */
export function writeTail(checksums: readonly number[], sizeBytes: number): Buffer {
  const tableBytes = checksums.length * 4;
  const packedBytes = sizeBytes + tableBytes + FOOTER_BYTES;
  const whole = Buffer.alloc(wholeBlocks(packedBytes) - sizeBytes);
  const tail = whole.subarray(wholeBlocks(packedBytes) - packedBytes);
  for (const [index, checksum] of checksums.entries()) {
    tail.writeUInt32LE(checksum, index * 4);
  }
  tail.writeUInt32LE(MAGIC, tableBytes);
  tail.writeUInt32LE(FORMAT_VERSION, tableBytes + 4);
  tail.writeUInt32LE(CHUNK_BYTES, tableBytes + 8);
  tail.writeUInt32LE(crc32c(tail.subarray(0, tableBytes)), tableBytes + 12);
  tail.writeBigUInt64LE(BigInt(sizeBytes), tableBytes + 16);
  return whole;
}

function wholeBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** What the footer says, or why it can't be one. */
export type Footer =
  | { readonly kind: "footer"; readonly sizeBytes: number; readonly tableChecksum: number }
  | { readonly kind: "invalid"; readonly why: string };

/** @param footer  the last {@link FOOTER_BYTES} of a file of `fileBytes` */
export function readFooter(footer: Buffer, fileBytes: number): Footer {
  if (footer.length < FOOTER_BYTES || footer.readUInt32LE(0) !== MAGIC) {
    return { kind: "invalid", why: "it has no footer" };
  }
  const version = footer.readUInt32LE(4);
  const isPadded = version === FORMAT_VERSION;
  if ((!isPadded && version !== VERSION_WITHOUT_PADDING) || footer.readUInt32LE(8) !== CHUNK_BYTES) {
    return { kind: "invalid", why: "its format is unknown" };
  }
  const sizeBytes = Number(footer.readBigUInt64LE(16));
  const packedBytes = sizeBytes + chunkCount(sizeBytes) * 4 + FOOTER_BYTES;
  if ((isPadded ? wholeBlocks(packedBytes) : packedBytes) !== fileBytes) {
    return { kind: "invalid", why: "its length is not the one it was written with" };
  }
  return { kind: "footer", sizeBytes, tableChecksum: footer.readUInt32LE(12) };
}

/** Makes the checksums of chunks from bytes that come in parts of any size. */
export class ChunkChecksums {
  readonly #finished: number[] = [];
  #current = 0;
  #filled = 0;

  add(bytes: Uint8Array): void {
    let offset = 0;
    while (offset < bytes.length) {
      const part = bytes.subarray(offset, offset + CHUNK_BYTES - this.#filled);
      this.#current = crc32c(part, this.#current);
      this.#filled += part.length;
      offset += part.length;
      if (this.#filled === CHUNK_BYTES) {
        this.#endChunk();
      }
    }
  }

  finish(): readonly number[] {
    if (this.#filled > 0) {
      this.#endChunk();
    }
    return this.#finished;
  }

  #endChunk(): void {
    this.#finished.push(this.#current);
    this.#current = 0;
    this.#filled = 0;
  }
}

export function checksumOf(bytes: Uint8Array): number {
  return crc32c(bytes);
}
