import { Buffer } from "node:buffer";
import { type StoreFile, type StoreFiles } from "../log/store-files.ts";

interface Content {
  written: Buffer;
  synced: Buffer;
}

/**
 * A folder in memory that behaves as badly as a disk may: it forgets at a power cut what was not synced, it can be full,
 * and its syncs can fail.
 */
export class MemoryFiles implements StoreFiles {
  readonly directory = "memory";
  syncs = 0;
  /** Those of them that kept the calling thread waiting. */
  syncsInPlace = 0;
  /** How many bytes more can be written. */
  spaceLeft: number = Number.POSITIVE_INFINITY;
  failSyncs = false;
  #files: Map<string, Content> = new Map();
  #durableNames: Map<string, Content> = new Map();

  /** The folder as it is after the power went away. */
  afterPowerCut(): MemoryFiles {
    const left = new MemoryFiles();
    for (const [name, { synced }] of this.#durableNames) {
      left.put(name, synced);
    }
    return left;
  }

  copy(): MemoryFiles {
    const copy = new MemoryFiles();
    for (const [name, { written }] of this.#files) {
      copy.put(name, written);
    }
    return copy;
  }

  put(name: string, bytes: Uint8Array): void {
    const content = { written: Buffer.from(bytes), synced: Buffer.from(bytes) };
    this.#files.set(name, content);
    this.#durableNames.set(name, content);
  }

  content(name: string): Buffer {
    return this.#get(name).written;
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve([...this.#files.keys()].toSorted());
  }

  open(name: string): Promise<StoreFile> {
    return Promise.resolve(this.#handle(this.#get(name)));
  }

  create(name: string): Promise<StoreFile> {
    const content = { written: Buffer.alloc(0), synced: Buffer.alloc(0) };
    this.#files.set(name, content);
    return Promise.resolve(this.#handle(content));
  }

  rename(from: string, to: string): Promise<void> {
    this.#files.set(to, this.#get(from));
    this.#files.delete(from);
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.#files.delete(name);
    return Promise.resolve();
  }

  syncNames(): Promise<void> {
    this.#durableNames = new Map(this.#files);
    return Promise.resolve();
  }

  #get(name: string): Content {
    const content = this.#files.get(name);
    if (content === undefined) {
      throw new Error(`no file ${name}`);
    }
    return content;
  }

  #handle(content: Content): StoreFile {
    const takeSpace = (bytes: number): boolean => {
      this.spaceLeft -= bytes;
      return this.spaceLeft >= 0;
    };
    const write = (bytes: Uint8Array, offset: number): void => {
      if (!takeSpace(bytes.length)) {
        // Half of it is there, as on a disk that fills up in the middle.
        content.written = spliced(content.written, bytes.subarray(0, bytes.length >> 1), offset);
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      }
      content.written = spliced(content.written, bytes, offset);
    };
    const sync = (): void => {
      if (this.failSyncs) {
        throw Object.assign(new Error("input/output error"), { code: "EIO" });
      }
      this.syncs += 1;
      content.synced = Buffer.from(content.written);
    };
    const file: StoreFile = {
      get size(): number {
        return content.written.length;
      },
      write: async (bytes, offset): Promise<void> => {
        await Promise.resolve();
        write(bytes, offset);
      },
      sync: async (): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve));
        sync();
      },
      writeSynced: async (bytes, offset): Promise<void> => {
        await file.write(bytes, offset);
        await file.sync();
      },
      writeSyncedInPlace: (bytes, offset): void => {
        write(bytes, offset);
        sync();
        this.syncsInPlace += 1;
      },
      truncate: (size): Promise<void> => {
        content.written = Buffer.from(content.written.subarray(0, size));
        return Promise.resolve();
      },
      read: (into, offset): Promise<void> => {
        into.set(content.written.subarray(offset, offset + into.length));
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
    return file;
  }
}

function spliced(before: Buffer, bytes: Uint8Array, offset: number): Buffer {
  const after = Buffer.alloc(Math.max(before.length, offset + bytes.length));
  before.copy(after);
  after.set(bytes, offset);
  return after;
}
