import { ExtentCorruptionError } from "../errors/corruption-error.ts";
import { checksumOf, CHUNK_BYTES, chunkCount, FOOTER_BYTES, readFooter } from "./extent-format.ts";
import { type ReadableFile } from "./file-system.ts";
import { READ_BYTES, returnReadMemory, takeReadMemory } from "./read-memory.ts";

/** The end of the file is read at once: the footer and, of extents up to 65 MB, the whole table. */
const TAIL_GUESS_BYTES = 4096;

/** Gives verified ranges of one open extent file. */
export class FileExtentReader {
  readonly #extentId: string;
  readonly #file: ReadableFile;
  readonly #sizeBytes: number;
  readonly #checksums: Buffer;

  private constructor(extentId: string, file: ReadableFile, sizeBytes: number, checksums: Buffer) {
    this.#extentId = extentId;
    this.#file = file;
    this.#sizeBytes = sizeBytes;
    this.#checksums = checksums;
  }

  /** @throws ExtentCorruptionError when the footer or the table of checksums is not what was written */
  static async open(extentId: string, file: ReadableFile): Promise<FileExtentReader> {
    const tail = Buffer.allocUnsafe(Math.min(TAIL_GUESS_BYTES, file.size));
    const found = await file.read(tail, file.size - tail.length);
    const footer = readFooter(tail.subarray(0, found).subarray(-FOOTER_BYTES), file.size);
    if (footer.kind === "invalid") {
      throw new ExtentCorruptionError(extentId, footer.why);
    }
    const table = await readTable(file, footer.sizeBytes, tail);
    if (checksumOf(table) !== footer.tableChecksum) {
      throw new ExtentCorruptionError(extentId, "its table of checksums is damaged");
    }
    return new FileExtentReader(extentId, file, footer.sizeBytes, table);
  }

  /** See {@link ExtentStore.read}. While the caller uses one part the next one is read into other memory. */
  async *read(start: number, end: number): AsyncGenerator<Uint8Array> {
    if (end > this.#sizeBytes) {
      throw new ExtentCorruptionError(this.#extentId, "it is shorter than the blob says");
    }
    const first = Math.floor(start / CHUNK_BYTES) * CHUNK_BYTES;
    const last = Math.min(this.#sizeBytes, Math.ceil(end / CHUNK_BYTES) * CHUNK_BYTES);
    // Two buffers in turn, the second only for what is longer than one.
    const memory: Buffer[] = [];
    const load = (position: number): Promise<Uint8Array> | undefined => {
      if (position >= last) {
        return undefined;
      }
      const buffer = (memory[((position - first) / READ_BYTES) % 2] ??= takeReadMemory());
      return settled(this.#load(buffer.subarray(0, Math.min(READ_BYTES, last - position)), position));
    };
    let next = load(first);
    try {
      for (let position = first; next !== undefined; position += READ_BYTES) {
        const bytes = await next;
        next = load(position + READ_BYTES);
        yield bytes.subarray(Math.max(0, start - position), Math.min(bytes.length, end - position));
      }
    } finally {
      // Left early, the read ahead is still filling its buffer.
      await next?.catch(() => undefined);
      memory.forEach(returnReadMemory);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #load(buffer: Buffer, position: number): Promise<Uint8Array> {
    const found = await this.#file.read(buffer, position);
    if (found < buffer.length) {
      throw new ExtentCorruptionError(this.#extentId, "it was cut off");
    }
    for (let offset = 0; offset < buffer.length; offset += CHUNK_BYTES) {
      const chunk = (position + offset) / CHUNK_BYTES;
      if (checksumOf(buffer.subarray(offset, offset + CHUNK_BYTES)) !== this.#checksums.readUInt32LE(chunk * 4)) {
        throw new ExtentCorruptionError(this.#extentId, `chunk ${chunk} fails its checksum`);
      }
    }
    return buffer;
  }
}

async function readTable(file: ReadableFile, sizeBytes: number, tail: Buffer): Promise<Buffer> {
  const tableBytes = chunkCount(sizeBytes) * 4;
  const inTail = tail.length - FOOTER_BYTES - tableBytes;
  if (inTail >= 0) {
    return Buffer.from(tail.subarray(inTail, inTail + tableBytes));
  }
  const table = Buffer.allocUnsafe(tableBytes);
  await file.read(table, file.size - FOOTER_BYTES - tableBytes);
  return table;
}

/** Marks the promise as looked after: its failure shows when it is awaited, also if the reader was left before. */
function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
