import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { crc32c } from "../log/crc32c.ts";
import { encodeHeader, HEADER_BYTES } from "../log/file-header.ts";
import { checkpointName } from "../log/segment-names.ts";
import { type StoreFile, type StoreFiles } from "../log/store-files.ts";
import { type StoreArray } from "../memory/shared-array.ts";
import { type SectionWriter } from "../memory/snapshot-sections.ts";
import { packIntegers } from "./packed-integers.ts";

/** Where a section lies in the file: what the directory at its end says of each. */
export interface SectionEntry {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
  /** Zip's, which Node has in machine code. */
  readonly crc32?: number;
  /** Castagnoli's, in version 1. */
  readonly crc?: number;
  /** How many integers are packed in it (packed-integers.ts); other arrays lie there as they are. */
  readonly values?: number;
}

/** The last 24 bytes: offset and length of the directory (JSON), its checksum, and a closing mark. */
export const TRAILER_BYTES = 24;
export const TRAILER_MARK = 0x454e4f44;

const CHUNK_BYTES = 1 << 20;

/** What a section is made of: parts in order, each written before the next is asked for. */
interface Section {
  readonly name: string;
  readonly values?: number;
  readonly parts: () => Iterable<Uint8Array>;
}

/** Collects the sections of a checkpoint without copying arrays: they must not change until it is written. */
export class Sections implements SectionWriter {
  readonly list: Section[] = [];

  array(name: string, array: StoreArray, length: number): void {
    if (array.BYTES_PER_ELEMENT === Int32Array.BYTES_PER_ELEMENT) {
      const values = new Int32Array(array.buffer, array.byteOffset, length);
      this.list.push({ name, values: length, parts: () => packIntegers(values) });
    } else {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, length * array.BYTES_PER_ELEMENT);
      this.list.push({ name, parts: () => chunksOf(bytes) });
    }
  }

  gathered(name: string, parts: () => Iterable<Uint8Array>): void {
    this.list.push({ name, parts });
  }

  json(name: string, value: unknown): void {
    const bytes = Buffer.from(JSON.stringify(value));
    this.list.push({ name, parts: () => chunksOf(bytes) });
  }
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}

/**
 * Writes a checkpoint beside the others and gives it its name only when all of it is on the disk. Whole arrays, in
 * parts between which other work goes on.
 */
export async function writeCheckpoint(
  files: StoreFiles,
  storeId: Buffer,
  epoch: number,
  sections: Sections,
): Promise<void> {
  const name = checkpointName(epoch);
  const part = `${name}.part`;
  const file = await files.create(part);
  try {
    await file.write(encodeHeader({ kind: "checkpoint", storeId, epoch }), 0);
    await writeSections(file, sections);
    await file.sync();
  } catch (error) {
    await file.close();
    await files.remove(part);
    throw error;
  }
  await file.close();
  await files.rename(part, name);
  await files.syncNames();
}

async function writeSections(file: StoreFile, sections: Sections): Promise<void> {
  const directory: SectionEntry[] = [];
  let offset = HEADER_BYTES;
  for (const { name, values, parts } of sections.list) {
    const written = await writeParts(file, parts(), offset);
    directory.push({ name, offset, ...written, ...(values === undefined ? {} : { values }) });
    offset += written.bytes;
  }
  const listing = Buffer.from(JSON.stringify(directory));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeBigUInt64LE(BigInt(offset), 0);
  trailer.writeBigUInt64LE(BigInt(listing.length), 8);
  trailer.writeUInt32LE(crc32c(listing), 16);
  trailer.writeUInt32LE(TRAILER_MARK, 20);
  await file.write(Buffer.concat([listing, trailer]), offset);
}

async function writeParts(
  file: StoreFile,
  parts: Iterable<Uint8Array>,
  offset: number,
): Promise<{ bytes: number; crc32: number }> {
  let [checksum, at] = [0, offset];
  for (const part of parts) {
    checksum = crc32(part, checksum);
    await file.write(part, at);
    at += part.length;
  }
  return { bytes: at - offset, crc32: checksum };
}
