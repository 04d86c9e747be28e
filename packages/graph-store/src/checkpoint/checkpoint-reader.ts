import { Buffer } from "node:buffer";
import path from "node:path";
import { crc32 } from "node:zlib";
import { StoreCorruptionError } from "../errors.ts";
import { crc32c } from "../log/crc32c.ts";
import { decodeHeader, type FileHeader, HEADER_BYTES } from "../log/file-header.ts";
import { type StoreFile, type StoreFiles } from "../log/store-files.ts";
import { sharedBytes, sharedInt32 } from "../memory/shared-array.ts";
import { type SectionReader } from "../memory/snapshot-sections.ts";
import { atOnce, type Steps } from "../memory/steps.ts";
import { type SectionEntry, TRAILER_BYTES, TRAILER_MARK } from "./checkpoint-writer.ts";
import { unpackIntegers } from "./packed-integers.ts";

interface Section {
  readonly bytes: Uint8Array;
  /** How many integers are packed in the bytes. */
  readonly values: number | undefined;
}

export interface Checkpoint {
  readonly header: FileHeader;
  readonly sections: SectionReader;
}

/**
 * Reads a checkpoint whole. Packed integers are unpacked when they are asked for, the rest is in shared memory at once.
 *
 * @throws StartError  for a file of another version
 * @throws StoreCorruptionError  for one that does not check
 */
export async function readCheckpoint(files: StoreFiles, name: string): Promise<Checkpoint> {
  const file = await files.open(name);
  try {
    const headerBytes = Buffer.alloc(HEADER_BYTES);
    await file.read(headerBytes, 0);
    const header = decodeHeader(headerBytes, path.join(files.directory, name), "checkpoint");
    // Together: each alone would wait for a thread of its own turn.
    const sections = await Promise.all(
      (await readDirectory(file, name)).map(async (entry): Promise<[string, Section]> => [
        entry.name,
        await readSection(file, name, entry),
      ]),
    );
    return { header, sections: new LoadedSections(name, new Map(sections)) };
  } finally {
    await file.close();
  }
}

async function readDirectory(file: StoreFile, name: string): Promise<readonly SectionEntry[]> {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  if (file.size < HEADER_BYTES + TRAILER_BYTES) {
    throw damaged(name);
  }
  await file.read(trailer, file.size - TRAILER_BYTES);
  const offset = Number(trailer.readBigUInt64LE(0));
  const length = Number(trailer.readBigUInt64LE(8));
  if (trailer.readUInt32LE(20) !== TRAILER_MARK || offset + length + TRAILER_BYTES !== file.size) {
    throw damaged(name);
  }
  const listing = Buffer.alloc(length);
  await file.read(listing, offset);
  if (crc32c(listing) !== trailer.readUInt32LE(16)) {
    throw damaged(name);
  }
  return JSON.parse(listing.toString()) as SectionEntry[];
}

async function readSection(file: StoreFile, name: string, entry: SectionEntry): Promise<Section> {
  const { values } = entry;
  const bytes = values === undefined ? sharedBytes(entry.bytes) : new Uint8Array(entry.bytes);
  await file.read(bytes, entry.offset);
  const isIntact = entry.crc32 === undefined ? crc32c(bytes) === entry.crc : crc32(bytes) === entry.crc32;
  if (!isIntact) {
    throw damaged(`${name} (${entry.name})`);
  }
  return { bytes, values };
}

class LoadedSections implements SectionReader {
  readonly #file: string;
  readonly #sections: Map<string, Section>;

  constructor(file: string, sections: Map<string, Section>) {
    this.#file = file;
    this.#sections = sections;
  }

  has(name: string): boolean {
    return this.#sections.has(name);
  }

  int32(name: string): Int32Array {
    return atOnce(this.unpacked(name));
  }

  *unpacked(name: string): Steps<Int32Array> {
    const { bytes, values } = this.#get(name);
    if (values === undefined) {
      return new Int32Array(bytes.buffer);
    }
    const unpacked = sharedInt32(values);
    yield* unpackIntegers(new Int32Array(bytes.buffer), unpacked);
    // Nobody wants it twice, and others are kept for long.
    this.#sections.delete(name);
    return unpacked;
  }

  uint32(name: string): Uint32Array {
    return new Uint32Array(this.int32(name).buffer);
  }

  float64(name: string): Float64Array {
    return new Float64Array(this.bytes(name).buffer);
  }

  bigInt64(name: string): BigInt64Array {
    return new BigInt64Array(this.bytes(name).buffer);
  }

  bytes(name: string): Uint8Array {
    return this.#get(name).bytes;
  }

  json(name: string): unknown {
    const bytes = this.bytes(name);
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  }

  #get(name: string): Section {
    const section = this.#sections.get(name);
    if (section === undefined) {
      throw damaged(`${this.#file} (${name} is missing)`);
    }
    return section;
  }
}

function damaged(what: string): StoreCorruptionError {
  return new StoreCorruptionError(`The checkpoint ${what} is damaged.`);
}
