import { type FileHandle, mkdir, open, readdir, rmdir, unlink } from "node:fs/promises";
import { codeOf, type FileSystem, type ReadableFile, type WritableFile } from "./file-system.ts";

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

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
  create: async (path) => new NodeWritableFile(await open(path, "wx", FILE_MODE)),
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

class NodeWritableFile implements WritableFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(buffers: readonly Uint8Array[], position: number): Promise<void> {
    const { bytesWritten } = await this.#handle.writev(buffers as Uint8Array[], position);
    const total = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    if (bytesWritten < total) {
      // A nearly full disk takes a part; the rest of the write then says why.
      const rest = Buffer.concat(buffers).subarray(bytesWritten);
      await this.write([rest], position + bytesWritten);
    }
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
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
