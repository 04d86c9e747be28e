import { type Buffer } from "node:buffer";
import { constants, fdatasyncSync, write, writeSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";

/** A file that is written in place. Tests put one in its stead that loses what was not synced, or that is full. */
export interface StoreFile {
  readonly size: number;
  /** Writes all of `bytes` at `offset`. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /** Resolves when all that was written is on the disk. */
  sync(): Promise<void>;
  /** Both at once, for a log: resolves when all of `bytes` is on the disk. */
  writeSynced(bytes: Uint8Array, offset: number): Promise<void>;
  /** The same by the calling thread, which does nothing else meanwhile: when it returns, all of `bytes` is on the disk. */
  writeSyncedInPlace(bytes: Uint8Array, offset: number): void;
  truncate(size: number): Promise<void>;
  /** Fills `into` from `offset` on. */
  read(into: Uint8Array, offset: number): Promise<void>;
  close(): Promise<void>;
}

/** The folder of a store. */
export interface StoreFiles {
  readonly directory: string;
  names(): Promise<readonly string[]>;
  /** @param purpose  what is written to a log is written synced */
  open(name: string, purpose?: "log"): Promise<StoreFile>;
  create(name: string, purpose?: "log"): Promise<StoreFile>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when names that were made, changed or removed are so on the disk. */
  syncNames(): Promise<void>;
}

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

export class DirectoryFiles implements StoreFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async names(): Promise<readonly string[]> {
    await mkdir(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    return (await readdir(this.directory)).toSorted();
  }

  open(name: string, purpose?: "log"): Promise<StoreFile> {
    return OpenFile.of(path.join(this.directory, name), constants.O_RDWR, purpose);
  }

  create(name: string, purpose?: "log"): Promise<StoreFile> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC;
    return OpenFile.of(path.join(this.directory, name), flags, purpose);
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(path.join(this.directory, from), path.join(this.directory, to));
  }

  async remove(name: string): Promise<void> {
    await rm(path.join(this.directory, name), { force: true });
  }

  async syncNames(): Promise<void> {
    const directory = await open(this.directory, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }
}

/**
 * With this flag a write returns when its bytes are on the disk as `fdatasync` would leave them: one visit to the thread
 * pool instead of two. Elsewhere it is unknown, or leaves them in the disk's own memory.
 */
const WRITE_THROUGH = process.platform === "linux" ? constants.O_DSYNC : 0;

class OpenFile implements StoreFile {
  readonly #handle: FileHandle;
  readonly #writesThrough: boolean;
  #size: number;

  private constructor(handle: FileHandle, size: number, writesThrough: boolean) {
    this.#handle = handle;
    this.#size = size;
    this.#writesThrough = writesThrough;
  }

  static async of(file: string, flags: number, purpose: "log" | undefined): Promise<OpenFile> {
    const through = purpose === "log" ? WRITE_THROUGH : 0;
    const handle = await open(file, flags | through, PRIVATE_FILE);
    return new OpenFile(handle, (await handle.stat()).size, through !== 0);
  }

  get size(): number {
    return this.#size;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
    this.#size = Math.max(this.#size, offset + bytes.length);
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async writeSynced(bytes: Uint8Array, offset: number): Promise<void> {
    if (this.#writesThrough) {
      await writeAll(this.#handle.fd, bytes, offset);
      this.#size = Math.max(this.#size, offset + bytes.length);
    } else {
      await this.write(bytes, offset);
      await this.sync();
    }
  }

  writeSyncedInPlace(bytes: Uint8Array, offset: number): void {
    const { fd } = this.#handle;
    for (let done = 0; done < bytes.length;) {
      done += writeSync(fd, bytes, done, bytes.length - done, offset + done);
    }
    if (!this.#writesThrough) {
      fdatasyncSync(fd);
    }
    this.#size = Math.max(this.#size, offset + bytes.length);
  }

  async truncate(size: number): Promise<void> {
    await this.#handle.truncate(size);
    this.#size = size;
  }

  async read(into: Uint8Array, offset: number): Promise<void> {
    let done = 0;
    while (done < into.length) {
      const { bytesRead } = await this.#handle.read(into, done, into.length - done, offset + done);
      if (bytesRead === 0) {
        return;
      }
      done += bytesRead;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** The handle's own way takes twice the processor. */
function writeAll(fd: number, bytes: Uint8Array, offset: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const writeFrom = (start: number): void => {
      write(fd, bytes, start, bytes.length - start, offset + start, (error, written) => {
        if (error !== null) {
          reject(error);
        } else if (start + written < bytes.length) {
          writeFrom(start + written);
        } else {
          resolve();
        }
      });
    };
    writeFrom(0);
  });
}

/** Reads a whole file. */
export async function readWhole(files: StoreFiles, name: string, allocate: (size: number) => Buffer): Promise<Buffer> {
  const file = await files.open(name);
  try {
    const bytes = allocate(file.size);
    await file.read(bytes, 0);
    return bytes;
  } finally {
    await file.close();
  }
}
