import { type FileExtentReader } from "./file-extent-reader.ts";

/** Files kept open while nobody reads them. */
const IDLE_LIMIT = 64;
/** How long: a file that somebody took away or put back by hand is noticed soon. */
const IDLE_MS = 5_000;

interface Entry {
  readonly reader: Promise<FileExtentReader>;
  users: number;
  /** Nobody may find it any more; the last user closes it. */
  isForgotten: boolean;
}

/**
 * Keeps the files of extents open that are read again soon: opening one costs three calls of the system and the
 * verification of its table, as much as reading a megabyte does.
 */
export class OpenExtents {
  readonly #open: (extentId: string) => Promise<FileExtentReader>;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(open: (extentId: string) => Promise<FileExtentReader>) {
    this.#open = open;
  }

  /**
   * Lends the reader of an extent to `use`, for as long as that runs.
   *
   * @throws what opening throws, and what `use` throws; either way the file is opened anew the next time
   */
  async *with<Part>(
    extentId: string,
    use: (reader: FileExtentReader) => AsyncGenerator<Part>,
  ): AsyncGenerator<Part, void> {
    const entry = this.#take(extentId);
    try {
      yield* use(await entry.reader);
    } catch (error) {
      this.#forget(extentId, entry);
      throw error;
    } finally {
      entry.users -= 1;
      await this.#closeUnused(entry);
    }
  }

  /** Before an extent is removed. */
  async forget(extentId: string): Promise<void> {
    const entry = this.#entries.get(extentId);
    if (entry !== undefined) {
      this.#forget(extentId, entry);
      await this.#closeUnused(entry);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#sweep);
    await Promise.all([...this.#entries.keys()].map((extentId) => this.forget(extentId)));
  }

  #take(extentId: string): Entry {
    const entry = this.#entries.get(extentId) ?? { reader: this.#open(extentId), users: 0, isForgotten: false };
    entry.users += 1;
    this.#entries.delete(extentId);
    this.#entries.set(extentId, entry);
    if (this.#entries.size > IDLE_LIMIT) {
      void this.#dropIdle(this.#entries.size - IDLE_LIMIT);
    }
    this.#sweep ??= setTimeout(() => {
      this.#sweep = undefined;
      void this.#dropIdle(Number.POSITIVE_INFINITY);
    }, IDLE_MS).unref();
    return entry;
  }

  /** Closes files that nobody reads, those first that were read the longest ago. */
  async #dropIdle(count: number): Promise<void> {
    const idle = [...this.#entries].filter(([, { users }]) => users === 0);
    await Promise.all(idle.slice(0, count).map(([extentId]) => this.forget(extentId)));
  }

  #forget(extentId: string, entry: Entry): void {
    entry.isForgotten = true;
    if (this.#entries.get(extentId) === entry) {
      this.#entries.delete(extentId);
    }
  }

  async #closeUnused(entry: Entry): Promise<void> {
    if (entry.isForgotten && entry.users === 0) {
      // One that could not be opened has nothing to close.
      await entry.reader.then(
        (reader) => reader.close(),
        () => undefined,
      );
    }
  }
}
