import { StorageError } from "../errors/storage-error.ts";
import { ChunkChecksums, writeTail } from "./extent-format.ts";
import { type ExtentWriter } from "./extent-store.ts";
import { codeOf } from "./file-system.ts";
import { type NewFile } from "./new-files.ts";

/**
 * Bytes gathered before they are written: one call of the system for many small parts of a request, and only one for an
 * extent up to this size, its checksums included. Twice as much is the memory of an upload.
 */
const GATHER_BYTES = 1024 * 1024;

/** Writes one extent file; while a part is being written the next one is gathered. */
export class FileExtentWriter implements ExtentWriter {
  readonly id: string;
  readonly #target: NewFile;
  readonly #onEnd: () => void;
  readonly #checksums = new ChunkChecksums();
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #writtenBytes = 0;
  /** The write on its way; its failure shows at the next call. */
  #writing: Promise<void> = Promise.resolve();

  /** @param onEnd  called once, when the extent is finished or given up */
  constructor(target: NewFile, onEnd: () => void) {
    this.id = target.id;
    this.#target = target;
    this.#onEnd = onEnd;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#checksums.add(bytes);
    if (this.#gatheredBytes > 0 && this.#gatheredBytes + bytes.length > GATHER_BYTES) {
      await this.#flush();
    }
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
  }

  async finish(): Promise<void> {
    const checksums = this.#checksums.finish();
    const sizeBytes = this.#writtenBytes + this.#gatheredBytes;
    const tail = writeTail(checksums, sizeBytes);
    this.#gathered.push(tail);
    this.#gatheredBytes += tail.length;
    await this.#flush();
    await this.#guarded(async () => {
      await this.#writing;
      await this.#target.file.sync();
      await Promise.all([this.#target.syncName(), this.#target.file.close()]);
    });
    this.#onEnd();
  }

  async abort(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#target.file.close().catch(() => undefined);
    // What is left after a failure here is found and removed at the next start.
    await this.#target.remove().catch(() => undefined);
    this.#onEnd();
  }

  async #flush(): Promise<void> {
    await this.#guarded(() => this.#writing);
    const buffers = this.#gathered;
    const position = this.#writtenBytes;
    this.#writtenBytes += this.#gatheredBytes;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#writing = this.#target.file.write(buffers, position);
    // Until the next call looks at it, a failure is nobody's unhandled rejection.
    this.#writing.catch(() => undefined);
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw asStorageError(error);
    }
  }
}

const FULL: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** A disk that is full, over its quota or at its file-size limit refuses the request; anything else is our failure. */
export function asStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) {
    return error;
  }
  return new StorageError(FULL.has(codeOf(error)) ? "InsufficientStorage" : "InternalError", { cause: error });
}
