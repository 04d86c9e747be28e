import { StorageError } from "../errors/storage-error.ts";
import { ChunkChecksums, writeTail } from "./extent-format.ts";
import { type ExtentWriter, type WatchBytes } from "./extent-store.ts";
import { codeOf } from "./file-system.ts";
import { type NewFile } from "./new-files.ts";
import { returnWriteMemory, takeWriteMemory, WRITE_BYTES } from "./write-memory.ts";

/** Writes one extent file; while a part is being written the next one is gathered. */
export class FileExtentWriter implements ExtentWriter {
  readonly id: string;
  readonly #target: NewFile;
  #onEnd: (() => void) | undefined;
  readonly #watch: WatchBytes | undefined;
  readonly #checksums = new ChunkChecksums();
  /** What is gathered next, in the first bytes of it. */
  #memory: Uint8Array | undefined;
  #gatheredBytes = 0;
  #writtenBytes = 0;
  /** Of the extent, without what the format adds. */
  #dataBytes = 0;
  /** The write on its way; its failure shows at the next call, as that of watching does. */
  #writing: Promise<void> = Promise.resolve();
  #watching: Promise<void> = Promise.resolve();

  /** @param onEnd  called once, when the extent is finished or given up */
  constructor(target: NewFile, onEnd: () => void, watch?: WatchBytes) {
    this.id = target.id;
    this.#target = target;
    this.#onEnd = onEnd;
    this.#watch = watch;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#checksums.add(bytes);
    this.#dataBytes += bytes.length;
    await this.#gather(bytes);
  }

  async finish(): Promise<void> {
    await this.#gather(writeTail(this.#checksums.finish(), this.#dataBytes));
    await this.#flush();
    await guarded(async () => {
      await this.#writing;
      await this.#target.file.sync();
      await Promise.all([this.#target.syncName(), this.#target.file.close(), this.#watching]);
    });
    this.#end();
  }

  async abort(): Promise<void> {
    await this.#writing.catch(() => undefined);
    if (this.#memory !== undefined) {
      returnWriteMemory(this.#memory);
      this.#memory = undefined;
    }
    await this.#target.file.close().catch(() => undefined);
    // What is left after a failure here is found and removed at the next start.
    await this.#target.remove().catch(() => undefined);
    this.#end();
  }

  #end(): void {
    this.#onEnd?.();
    this.#onEnd = undefined;
  }

  async #gather(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length;) {
      this.#memory ??= takeWriteMemory();
      const part = bytes.subarray(taken, taken + WRITE_BYTES - this.#gatheredBytes);
      this.#memory.set(part, this.#gatheredBytes);
      this.#gatheredBytes += part.length;
      taken += part.length;
      if (this.#gatheredBytes === WRITE_BYTES) {
        await this.#flush();
      }
    }
  }

  /** Begins to write what is gathered, when what was before it is written and watched. */
  async #flush(): Promise<void> {
    await guarded(() => this.#writing);
    await guarded(() => this.#watching);
    const memory = this.#memory;
    if (memory === undefined) {
      return;
    }
    const position = this.#writtenBytes;
    this.#writing = this.#target.file.write(memory.subarray(0, this.#gatheredBytes), position);
    const data = memory.subarray(0, Math.min(this.#gatheredBytes, Math.max(0, this.#dataBytes - position)));
    this.#watching = (data.length > 0 ? this.#watch?.(data) : undefined) ?? Promise.resolve();
    // Until the next call looks at it, a failure is nobody's unhandled rejection.
    void Promise.allSettled([this.#writing, this.#watching]).then(() => returnWriteMemory(memory));
    this.#writtenBytes += this.#gatheredBytes;
    this.#memory = undefined;
    this.#gatheredBytes = 0;
  }
}

async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asStorageError(error);
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
