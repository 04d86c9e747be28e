import path from "node:path";
import { DirectorySyncs } from "./directory-syncs.ts";
import { type FileSystem, type WritableFile } from "./file-system.ts";

/** Files per directory: few enough for any file system, enough that one directory sync serves many uploads. */
const FILES_PER_DIRECTORY = 4096;

/** Files made ahead at most. */
const AHEAD_LIMIT = 16;

/** How long a file made ahead waits for an upload. */
const IDLE_MS = 5_000;

/** An empty file for an extent to be written into. */
export interface NewFile {
  readonly id: string;
  readonly file: WritableFile;
  /** Makes the file's name durable; at once when it already is. */
  readonly syncName: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export interface NewFilesOptions {
  /** A directory that exists. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  /** Milliseconds since 1970; names the directories of this run. */
  readonly nowMs: number;
}

/**
 * Makes the files of extents, `<directory>/<file>` below one folder, in directories that only this run writes to.
 *
 * While several uploads are under way, the files of the next ones are made ahead and their names synced together: an
 * upload then costs one sync, that of its own bytes. A file that nobody wanted is removed; one that a crash left is an
 * extent without a record, as an upload that was cut off is.
 */
export class NewFiles {
  readonly #root: string;
  readonly #fileSystem: FileSystem;
  readonly #syncs: DirectorySyncs;
  readonly #ownDirectories = new Set<string>();
  #nextDirectory: number;
  #current: Promise<string> | undefined;
  #fileNumber = 0;
  readonly #ahead: NewFile[] = [];
  #making: Promise<void> | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ root, fileSystem, nowMs }: NewFilesOptions) {
    this.#root = root;
    this.#fileSystem = fileSystem;
    this.#syncs = new DirectorySyncs(fileSystem);
    this.#nextDirectory = nowMs;
  }

  /** Whether a directory was made by this run. */
  isOwn(directory: string): boolean {
    return this.#ownDirectories.has(directory);
  }

  /** @param uploads  how many are under way, this one included: as many again are expected soon */
  async take(uploads: number): Promise<NewFile> {
    const taken = this.#ahead.shift() ?? (await this.#make());
    if (uploads > 1 && this.#ahead.length < Math.min(uploads, AHEAD_LIMIT)) {
      this.#making ??= this.#makeAhead(Math.min(uploads * 2, AHEAD_LIMIT)).finally(() => {
        this.#making = undefined;
      });
    }
    return taken;
  }

  /** Removes what was made and not taken. */
  async close(): Promise<void> {
    await this.#making;
    await this.#removeAhead();
  }

  async #makeAhead(count: number): Promise<void> {
    const made = await Promise.allSettled(Array.from({ length: count }, () => this.#make()));
    const files = made.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const folders = new Set(files.map(({ id }) => path.dirname(id)));
    const synced = new Set<string>();
    await Promise.allSettled(
      [...folders].map((folder) => this.#syncs.sync(path.join(this.#root, folder)).then(() => synced.add(folder))),
    );
    for (const file of files) {
      if (synced.has(path.dirname(file.id))) {
        this.#ahead.push({ ...file, syncName: () => Promise.resolve() });
      } else {
        await discard(file);
      }
    }
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#removeAhead(), IDLE_MS).unref();
  }

  async #removeAhead(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all(this.#ahead.splice(0).map(discard));
  }

  async #make(): Promise<NewFile> {
    const { directory, name } = await this.#nextName();
    const folder = path.join(this.#root, directory);
    const file = path.join(folder, name);
    return {
      id: `${directory}/${name}`,
      file: await this.#fileSystem.create(file),
      syncName: () => this.#syncs.sync(folder),
      remove: () => this.#fileSystem.remove(file),
    };
  }

  async #nextName(): Promise<{ readonly directory: string; readonly name: string }> {
    if (this.#current === undefined || this.#fileNumber === FILES_PER_DIRECTORY) {
      this.#fileNumber = 0;
      const made = this.#makeDirectory();
      this.#current = made;
      // A failure here is told to those who wait for it; the next request tries again.
      made.catch(() => {
        this.#current = undefined;
      });
    }
    const name = (this.#fileNumber++).toString(16).padStart(3, "0");
    return { directory: await this.#current, name };
  }

  async #makeDirectory(): Promise<string> {
    for (;;) {
      const directory = (this.#nextDirectory++).toString(16).padStart(12, "0");
      this.#ownDirectories.add(directory);
      if (await this.#fileSystem.createDirectory(path.join(this.#root, directory))) {
        await this.#syncs.sync(this.#root);
        return directory;
      }
      this.#ownDirectories.delete(directory);
    }
  }
}

async function discard({ file, remove }: NewFile): Promise<void> {
  await file.close().catch(() => undefined);
  // What is left after a failure here is found and removed at the next start.
  await remove().catch(() => undefined);
}
