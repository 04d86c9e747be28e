import { StorageError } from "../errors/storage-error.ts";
import { ChunkChecksums, writeTail } from "./extent-format.ts";
import { type ExtentWriter, type WatchBytes } from "./extent-store.ts";
import { codeOf } from "./file-system.ts";
import { type NewFile } from "./new-files.ts";
import { copyInto, returnWriteMemory, takeWriteMemory, WRITE_BYTES } from "./write-memory.ts";

/** So much is watched at once: by the time the last bytes arrive, most of what they follow has been gone through. */
const WATCH_BYTES = 256 * 1024;

/** Writes one extent file; while a part is being written the next one is gathered. */
export class FileExtentWriter implements ExtentWriter {
  readonly id: string;
  readonly #target: NewFile;
  #onEnd: (() => void) | undefined;
  readonly #watch: WatchBytes | undefined;
  readonly #checksums = new ChunkChecksums();
  /** What is gathered next, in the first bytes of it. */
  #memory: Buffer | undefined;
  #gatheredBytes = 0;
  /** Of it, what `watch` has been given, and what came of that. */
  #watchedBytes = 0;
  #watched: Promise<void>[] = [];
  #writtenBytes = 0;
  /** Of the extent, without what the format adds. */
  #dataBytes = 0;
  /** The write on its way; its failure shows at the next call, as that of watching does. */
  #writing: Promise<void> = Promise.resolve();
  #watching: Promise<unknown> = Promise.resolve();

  /** @param onEnd  called once, when the extent is finished or given up */
  constructor(target: NewFile, onEnd: () => void, watch?: WatchBytes) {
    this.id = target.id;
    this.#target = target;
    this.#onEnd = onEnd;
    this.#watch = watch;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#checksums.add(bytes);
    this.#dataBytes += bytes.length;
    return this.#gather(bytes);
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
    await Promise.allSettled([this.#writing, ...this.#watched]);
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

  /** Nothing is waited for while there is room. */
  #gather(bytes: Uint8Array): Promise<void> | undefined {
    const taken = this.#fill(bytes);
    return this.#gatheredBytes < WRITE_BYTES ? undefined : this.#gatherOn(bytes.subarray(taken));
  }

  async #gatherOn(bytes: Uint8Array): Promise<void> {
    await this.#flush();
    for (let taken = 0; taken < bytes.length;) {
      taken += this.#fill(bytes.subarray(taken));
      if (this.#gatheredBytes === WRITE_BYTES) {
        await this.#flush();
      }
    }
  }

  /** @returns how many of the bytes there was room for */
  #fill(bytes: Uint8Array): number {
    this.#memory ??= takeWriteMemory();
    const part = bytes.subarray(0, WRITE_BYTES - this.#gatheredBytes);
    copyInto(this.#memory, this.#gatheredBytes, part);
    this.#gatheredBytes += part.length;
    if (this.#gatheredBytes - this.#watchedBytes >= WATCH_BYTES) {
      this.#watchGathered(this.#memory);
    }
    return part.length;
  }

  /** Has what came since the last time watched, without what the format adds. */
  #watchGathered(memory: Buffer): void {
    const end = Math.min(this.#gatheredBytes, this.#dataBytes - this.#writtenBytes);
    if (this.#watch !== undefined && end > this.#watchedBytes) {
      const watching = this.#watch(memory.subarray(this.#watchedBytes, end));
      // Until a flush looks at it, a failure is nobody's unhandled rejection.
      watching.catch(() => undefined);
      this.#watched.push(watching);
      this.#watchedBytes = end;
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
    this.#watchGathered(memory);
    const watched = this.#watched;
    this.#writing = this.#target.file.write(memory.subarray(0, this.#gatheredBytes), this.#writtenBytes);
    this.#watching = Promise.all(watched);
    // Until the next call looks at it, a failure is nobody's unhandled rejection.
    void Promise.allSettled([this.#writing, this.#watching, ...watched]).then(() => returnWriteMemory(memory));
    this.#watched = [];
    this.#watchedBytes = 0;
    this.#writtenBytes += this.#gatheredBytes;
    this.#memory = undefined;
    this.#gatheredBytes = 0;
  }
}

async function guarded(work: () => Promise<unknown>): Promise<void> {
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
