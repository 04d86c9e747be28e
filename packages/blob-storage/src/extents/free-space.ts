import { type Clock } from "@trefoil/base";
import { StorageError } from "../errors/storage-error.ts";

export interface FreeSpaceOptions {
  readonly clock: Clock;
  /** What the disk has free for this user now, in bytes. */
  readonly measure: () => Promise<number>;
  /** What uploads must leave free. */
  readonly minimumBytes: number;
}

/** A measurement is used this long: small uploads don't ask the system each time. */
const FRESH_MS = 500;

/**
 * Refuses uploads while there is still room for everything else: on a disk that is really full, deleting fails too,
 * because a deletion is a record that has to be written (decisions/0033).
 */
export class FreeSpace {
  readonly #options: FreeSpaceOptions;
  /** Of uploads that are running. What of them is written already counts twice: near the limit, caution is right. */
  #reservedBytes = 0;
  #freeBytes = 0;
  #measuredMs: number = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;

  constructor(options: FreeSpaceOptions) {
    this.#options = options;
  }

  /**
   * Sets room aside for an upload.
   *
   * @returns gives it back, when the upload has ended either way
   * @throws  StorageError `InsufficientStorage` when it would leave too little
   */
  async reserve(bytes: number): Promise<() => void> {
    if (Math.abs(this.#options.clock.now() - this.#measuredMs) >= FRESH_MS) {
      this.#measuring ??= this.#measure();
      await this.#measuring;
    }
    if (this.#freeBytes - this.#reservedBytes - bytes < this.#options.minimumBytes) {
      throw new StorageError("InsufficientStorage", { detail: "the upload would leave too little free space" });
    }
    this.#reservedBytes += bytes;
    return () => {
      this.#reservedBytes -= bytes;
      // Written by now, or nearly; the next measurement says how it is.
      this.#freeBytes -= bytes;
    };
  }

  async #measure(): Promise<void> {
    try {
      this.#freeBytes = await this.#options.measure();
      this.#measuredMs = this.#options.clock.now();
    } catch {
      // A file system that doesn't tell is believed to have room; the write itself fails when it hasn't.
      this.#freeBytes = Number.POSITIVE_INFINITY;
    } finally {
      this.#measuring = undefined;
    }
  }
}
