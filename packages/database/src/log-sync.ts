import { fdatasync } from "node:fs";
import { promisify } from "node:util";

/** Has everything that was written to a file reach the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

const syncOnThreadPool: SyncFile = promisify(fdatasync);

/**
 * Syncs of a log that somebody else writes, on the thread pool: the event loop goes on meanwhile, and whoever writes
 * during one sync shares the next.
 */
export class LogSync {
  readonly #descriptor: number;
  readonly #syncFile: SyncFile;
  #written = 0;
  #synced = 0;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(descriptor: number, syncFile: SyncFile = syncOnThreadPool) {
    this.#descriptor = descriptor;
    this.#syncFile = syncFile;
  }

  /** Something was appended to the log. */
  wrote(): void {
    this.#written += 1;
  }

  /**
   * @returns undefined when everything written so far is on disk, else a promise for it
   * @throws  (by the promise) what a sync failed with, for good: the system may have dropped what it could not write,
   *          and a later sync would not tell
   */
  whenSynced(): Promise<void> | undefined {
    return this.#synced === this.#written ? undefined : this.#until(this.#written);
  }

  async #until(mark: number): Promise<void> {
    while (this.#synced < mark) {
      this.#running ??= this.#sync();
      await this.#running;
    }
  }

  async #sync(): Promise<void> {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    const mark = this.#written;
    try {
      await this.#syncFile(this.#descriptor);
      this.#synced = mark;
    } catch (error) {
      this.#failure = new Error("the log of the database could not be synced", { cause: error });
      throw this.#failure;
    } finally {
      this.#running = undefined;
    }
  }
}
