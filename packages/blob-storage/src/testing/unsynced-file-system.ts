import path from "node:path";
import { BLOCK_BYTES } from "../extents/extent-format.ts";
import { type FileSystem, type ReadableFile, type WritableFile } from "../extents/file-system.ts";

interface File {
  bytes: Buffer;
  /** What a power cut leaves. */
  synced: Buffer;
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * A file system in memory that tells what was synced from what was not: {@link powerCut} drops file contents that no
 * sync covered and names that no sync of their directory covered. It can also be full. `kill -9` shows neither,
 * because the real system keeps what a dead process wrote.
 */
export class UnsyncedFileSystem implements FileSystem {
  #files = new Map<string, File>();
  #directories = new Set<string>();
  readonly #syncedNames = new Set<string>();
  readonly log: string[] = [];
  /** Bytes that were read so far. */
  readBytes = 0;
  /** Bytes that may still be written. */
  freeBytes: number = Number.POSITIVE_INFINITY;

  /** What a machine finds after its power came back. */
  powerCut(): void {
    this.#directories = new Set([...this.#directories].filter((name) => this.#syncedNames.has(name)));
    this.#files = new Map(
      [...this.#files]
        .filter(([name]) => this.#syncedNames.has(name) && this.#directories.has(path.dirname(name)))
        .map(([name, { synced }]) => [name, { bytes: Buffer.from(synced), synced }]),
    );
  }

  /** Whether a file that begins with these bytes would survive a power cut now. */
  wouldKeep(bytes: Buffer): boolean {
    return [...this.#files].some(
      ([name, { synced }]) =>
        this.#syncedNames.has(name) &&
        this.#syncedNames.has(path.dirname(name)) &&
        synced.subarray(0, bytes.length).equals(bytes),
    );
  }

  get fileNames(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Changes a byte on the disk, as bad hardware does. */
  damage(name: string, position: number): void {
    const file = this.#get(name);
    const at = position < 0 ? file.bytes.length + position : position;
    file.bytes = Buffer.from(file.bytes);
    file.bytes[at] = (file.bytes[at] ?? 0) ^ 0x40;
  }

  truncate(name: string, length: number): void {
    const file = this.#get(name);
    file.bytes = file.bytes.subarray(0, length);
  }

  sizeOf(name: string): number {
    return this.#get(name).bytes.length;
  }

  createDirectory(name: string): Promise<boolean> {
    if (this.#directories.has(name)) {
      return Promise.resolve(false);
    }
    this.#directories.add(name);
    return Promise.resolve(true);
  }

  async syncDirectory(name: string): Promise<void> {
    const covered = [...this.#files.keys(), ...this.#directories].filter((entry) => path.dirname(entry) === name);
    await new Promise(setImmediate);
    covered.forEach((entry) => this.#syncedNames.add(entry));
    this.log.push("sync directory");
  }

  removeDirectory(name: string): Promise<void> {
    this.#directories.delete(name);
    return Promise.resolve();
  }

  list(name: string): Promise<readonly string[]> {
    const entries = [...this.#files.keys(), ...this.#directories].filter((entry) => path.dirname(entry) === name);
    return Promise.resolve(entries.map((entry) => path.basename(entry)));
  }

  create(name: string): Promise<WritableFile> {
    if (this.freeBytes <= 0) {
      return Promise.reject(failure("ENOSPC"));
    }
    if (this.#files.has(name) || !this.#directories.has(path.dirname(name))) {
      return Promise.reject(failure("EEXIST"));
    }
    const file: File = { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) };
    this.#files.set(name, file);
    return Promise.resolve({
      write: (blocks, position) => this.#write(file, blocks, position),
      sync: () => {
        file.synced = file.bytes;
        this.log.push("sync file");
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    });
  }

  open(name: string): Promise<ReadableFile> {
    const file = this.#files.get(name);
    if (file === undefined) {
      return Promise.reject(failure("ENOENT"));
    }
    return Promise.resolve({
      size: file.bytes.length,
      read: (buffer, position) => {
        const found = file.bytes.copy(buffer, 0, position, position + buffer.length);
        this.readBytes += found;
        return Promise.resolve(found);
      },
      close: () => Promise.resolve(),
    });
  }

  remove(name: string): Promise<void> {
    this.#files.delete(name);
    return Promise.resolve();
  }

  #write(file: File, bytes: Uint8Array, position: number): Promise<void> {
    if (position % BLOCK_BYTES !== 0 || bytes.length % BLOCK_BYTES !== 0) {
      return Promise.reject(failure("EINVAL"));
    }
    if (bytes.length > this.freeBytes) {
      return Promise.reject(failure("ENOSPC"));
    }
    this.freeBytes -= bytes.length;
    const grown = Buffer.alloc(Math.max(file.bytes.length, position + bytes.length));
    file.bytes.copy(grown);
    grown.set(bytes, position);
    file.bytes = grown;
    return Promise.resolve();
  }

  #get(name: string): File {
    const file = this.#files.get(name);
    if (file === undefined) {
      throw failure("ENOENT");
    }
    return file;
  }
}
