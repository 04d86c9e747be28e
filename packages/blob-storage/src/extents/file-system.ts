/**
 * What extent files need of a file system. A seam: tests put one in its place that forgets what was not synced, or
 * that is full (rulings, Objects 7).
 */
export interface FileSystem {
  /** @returns false when it exists already */
  createDirectory(path: string): Promise<boolean>;
  /** Makes the creation of what is in a directory durable. */
  syncDirectory(path: string): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  /** Names in a directory; none when there is no such directory. */
  list(path: string): Promise<readonly string[]>;
  /** @throws when the file exists */
  create(path: string): Promise<WritableFile>;
  open(path: string): Promise<ReadableFile>;
  /** A file that isn't there is no error. */
  remove(path: string): Promise<void>;
}

export interface WritableFile {
  /** Writes whole blocks (`BLOCK_BYTES`) from memory that begins at a page (`takeWriteMemory`) to the start of a block. */
  write(blocks: Uint8Array, position: number): Promise<void>;
  /** Makes what was written durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadableFile {
  readonly size: number;
  /** Fills the buffer from a position. @returns how many bytes there were */
  read(buffer: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** The code of a failed call, such as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
