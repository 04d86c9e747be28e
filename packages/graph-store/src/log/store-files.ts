import { type Buffer } from "node:buffer";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";

/** A file that is written in place. Tests put one in its stead that loses what was not synced, or that is full. */
export interface StoreFile {
  readonly size: number;
  /** Writes all of `bytes` at `offset`. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /** Resolves when all that was written is on the disk. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Fills `into` from `offset` on. */
  read(into: Uint8Array, offset: number): Promise<void>;
  close(): Promise<void>;
}

/** The folder of a store. */
export interface StoreFiles {
  readonly directory: string;
  names(): Promise<readonly string[]>;
  open(name: string): Promise<StoreFile>;
  create(name: string): Promise<StoreFile>;
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

  open(name: string): Promise<StoreFile> {
    return OpenFile.of(path.join(this.directory, name), "r+");
  }

  create(name: string): Promise<StoreFile> {
    return OpenFile.of(path.join(this.directory, name), "w+");
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

class OpenFile implements StoreFile {
  readonly #handle: FileHandle;
  #size: number;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  static async of(file: string, flags: "r+" | "w+"): Promise<OpenFile> {
    const handle = await open(file, flags, PRIVATE_FILE);
    return new OpenFile(handle, (await handle.stat()).size);
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
