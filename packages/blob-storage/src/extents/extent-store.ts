/**
 * Where the bytes of blobs live: extents, written once, read by range, never changed. One small interface, so that
 * another store (an S3-compatible one) can take the place of files; `testing/extent-store-suite.ts` is its contract.
 */
export interface ExtentStore {
  /**
   * Begins a new extent. Nothing of it can be read before `finish` has returned.
   *
   * @param watch  is given all bytes in order as they come; their memory stays as it is until it resolves
   */
  create(watch?: WatchBytes): Promise<ExtentWriter>;

  /**
   * The bytes of a range, in order. Every part was verified against its checksum before it is given out, and is only
   * valid until the next one is asked for: its memory is used again.
   *
   * @param start  the first byte
   * @param end    the byte after the last one; both within the extent
   * @throws ExtentCorruptionError before the first bad byte is given out
   */
  read(extentId: string, start: number, end: number): AsyncIterable<Uint8Array>;

  /** Removes an extent; one that isn't there is no error, since a crash may come between removal and its record. */
  delete(extentId: string): Promise<void>;

  /** Every extent there is, finished or not. */
  list(): AsyncIterable<ListedExtent>;

  close(): Promise<void>;
}

export type WatchBytes = (bytes: Uint8Array) => Promise<void>;

export interface ListedExtent {
  readonly id: string;
  /** Written since this store was opened: it may belong to a request that is still running. */
  readonly isOfThisRun: boolean;
}

export interface ExtentWriter {
  readonly id: string;
  /**
   * Takes bytes. When what it returns is resolved, or at once where it returns nothing, more may be handed in and their
   * memory used again.
   *
   * @throws StorageError `InsufficientStorage` when the disk is full
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** When it returns, the extent survives a power cut. @throws also what watching its bytes failed with */
  finish(): Promise<void>;
  /** Gives the extent up, also after `finish`, and removes what was written; never throws. */
  abort(): Promise<void>;
}
