import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rmdir, unlink } from "node:fs/promises";
import { codeOf, type FileSystem, type ReadableFile, type WritableFile } from "./file-system.ts";

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

const { O_CREAT, O_EXCL, O_WRONLY } = constants;
/** Past the system's cache; systems other than Linux have no such flag. */
const O_DIRECT: number = (constants as Partial<typeof constants>).O_DIRECT ?? 0;

/** The real file system. */
export const nodeFileSystem: FileSystem = {
  createDirectory: async (path) => {
    try {
      await mkdir(path, { mode: DIRECTORY_MODE });
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") {
        return false;
      }
      throw error;
    }
  },
  syncDirectory: async (path) => {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  removeDirectory: (path) => rmdir(path),
  list: async (path) => {
    try {
      return await readdir(path);
    } catch (error) {
      if (codeOf(error) === "ENOENT") {
        return [];
      }
      throw error;
    }
  },
  create: async (path) => {
    try {
      return new NodeWritableFile(path, await open(path, O_WRONLY | O_CREAT | O_EXCL | O_DIRECT, FILE_MODE));
    } catch (error) {
      if (!isNotDirect(error)) {
        throw error;
      }
      // Linux has made the file before it refuses the flag.
      return new NodeWritableFile(path, await open(path, O_WRONLY | O_CREAT, FILE_MODE));
    }
  },
  open: async (path) => {
    const handle = await open(path, "r");
    const { size } = await handle.stat();
    return new NodeReadableFile(handle, size);
  },
  remove: async (path) => {
    try {
      await unlink(path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") {
        throw error;
      }
    }
  },
};

/** What a file system answers that has no way past the cache, or not with these addresses. */
function isNotDirect(error: unknown): boolean {
  return codeOf(error) === "EINVAL";
}

/** Writes past the system's cache where that is to be had (decisions/0205). */
class NodeWritableFile implements WritableFile {
  readonly #path: string;
  #handle: FileHandle;
  #mayBeDirect = O_DIRECT !== 0;

  constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  async write(blocks: Uint8Array, position: number): Promise<void> {
    for (let written = 0; written < blocks.length;) {
      try {
        // A nearly full disk takes a part; the write of the rest then says why.
        const { bytesWritten } = await this.#handle.write(blocks, written, blocks.length - written, position + written);
        written += bytesWritten;
      } catch (error) {
        if (!isNotDirect(error) || !this.#mayBeDirect) {
          throw error;
        }
        await this.#goThroughCache();
      }
    }
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #goThroughCache(): Promise<void> {
    this.#mayBeDirect = false;
    const direct = this.#handle;
    this.#handle = await open(this.#path, O_WRONLY);
    await direct.close();
  }
}

class NodeReadableFile implements ReadableFile {
  readonly size: number;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) {
        break;
      }
      filled += bytesRead;
    }
    return filled;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
