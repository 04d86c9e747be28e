import path from "node:path";
import { ExtentCorruptionError } from "../errors/corruption-error.ts";
import { StorageError } from "../errors/storage-error.ts";
import { DirectorySyncs } from "./directory-syncs.ts";
import { type ExtentStore, type ExtentWriter, type ListedExtent } from "./extent-store.ts";
import { FileExtentReader } from "./file-extent-reader.ts";
import { OpenExtents } from "./open-extents.ts";
import { asStorageError, FileExtentWriter } from "./file-extent-writer.ts";
import { codeOf, type FileSystem } from "./file-system.ts";

/** Files per directory: few enough for any file system, enough that one directory sync serves many uploads. */
const FILES_PER_DIRECTORY = 4096;

export interface FileExtentStoreOptions {
  /** A directory that exists. */
  readonly directory: string;
  readonly fileSystem: FileSystem;
  /** Milliseconds since 1970; names the directories of this run. */
  readonly nowMs: number;
}

/**
 * Extents as files `<directory>/<file>` below one folder. Each run makes directories of its own, so what an earlier
 * run left unfinished can be told from what this one is writing.
 */
export class FileExtentStore implements ExtentStore {
  readonly #root: string;
  readonly #fileSystem: FileSystem;
  readonly #syncs: DirectorySyncs;
  readonly #opened = new OpenExtents((extentId) => this.#open(extentId));
  readonly #ownDirectories = new Set<string>();
  #nextDirectory: number;
  #current: Promise<string> | undefined;
  #fileNumber = 0;

  constructor(options: FileExtentStoreOptions) {
    this.#root = options.directory;
    this.#fileSystem = options.fileSystem;
    this.#syncs = new DirectorySyncs(options.fileSystem);
    this.#nextDirectory = options.nowMs;
  }

  async create(): Promise<ExtentWriter> {
    try {
      const { directory, name } = await this.#nextName();
      const folder = path.join(this.#root, directory);
      const file = path.join(folder, name);
      return new FileExtentWriter({
        id: `${directory}/${name}`,
        file: await this.#fileSystem.create(file),
        syncDirectory: () => this.#syncs.sync(folder),
        remove: () => this.#fileSystem.remove(file),
      });
    } catch (error) {
      throw asStorageError(error);
    }
  }

  read(extentId: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    return this.#opened.with(extentId, (reader) => reader.read(start, end));
  }

  async delete(extentId: string): Promise<void> {
    await this.#opened.forget(extentId);
    await this.#fileSystem.remove(this.#pathOf(extentId));
  }

  async *list(): AsyncGenerator<ListedExtent> {
    for (const directory of await this.#fileSystem.list(this.#root)) {
      const isOfThisRun = this.#ownDirectories.has(directory);
      const names = await this.#fileSystem.list(path.join(this.#root, directory));
      for (const name of names) {
        yield { id: `${directory}/${name}`, isOfThisRun };
      }
      if (names.length === 0 && !isOfThisRun) {
        await this.#fileSystem.removeDirectory(path.join(this.#root, directory)).catch(() => undefined);
      }
    }
  }

  close(): Promise<void> {
    return this.#opened.close();
  }

  async #open(extentId: string): Promise<FileExtentReader> {
    const file = await this.#fileSystem.open(this.#pathOf(extentId)).catch((error: unknown) => {
      throw codeOf(error) === "ENOENT"
        ? new ExtentCorruptionError(extentId, "its file is missing")
        : new StorageError("InternalError", { cause: error });
    });
    try {
      return await FileExtentReader.open(extentId, file);
    } catch (error) {
      await file.close();
      throw error;
    }
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

  #pathOf(extentId: string): string {
    // Ids come from the database; a damaged one must not lead out of the folder.
    if (!/^[0-9a-f]{12}\/[0-9a-f]{3}$/u.test(extentId)) {
      throw new ExtentCorruptionError(extentId, "its name is not one of ours");
    }
    return path.join(this.#root, extentId);
  }
}
