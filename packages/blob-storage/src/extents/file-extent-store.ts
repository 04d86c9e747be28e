import path from "node:path";
import { ExtentCorruptionError } from "../errors/corruption-error.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type ExtentStore, type ExtentWriter, type ListedExtent, type WatchBytes } from "./extent-store.ts";
import { FileExtentReader } from "./file-extent-reader.ts";
import { NewFiles } from "./new-files.ts";
import { OpenExtents } from "./open-extents.ts";
import { asStorageError, FileExtentWriter } from "./file-extent-writer.ts";
import { codeOf, type FileSystem } from "./file-system.ts";

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
  readonly #newFiles: NewFiles;
  readonly #opened = new OpenExtents((extentId) => this.#open(extentId));
  /** Extents that are being written. */
  #writing = 0;

  constructor({ directory, fileSystem, nowMs }: FileExtentStoreOptions) {
    this.#root = directory;
    this.#fileSystem = fileSystem;
    this.#newFiles = new NewFiles({ root: directory, fileSystem, nowMs });
  }

  async create(watch?: WatchBytes): Promise<ExtentWriter> {
    this.#writing += 1;
    const onEnd = (): void => {
      this.#writing -= 1;
    };
    try {
      return new FileExtentWriter(await this.#newFiles.take(this.#writing), onEnd, watch);
    } catch (error) {
      onEnd();
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
      const isOfThisRun = this.#newFiles.isOwn(directory);
      const names = await this.#fileSystem.list(path.join(this.#root, directory));
      for (const name of names) {
        yield { id: `${directory}/${name}`, isOfThisRun };
      }
      if (names.length === 0 && !isOfThisRun) {
        await this.#fileSystem.removeDirectory(path.join(this.#root, directory)).catch(() => undefined);
      }
    }
  }

  async close(): Promise<void> {
    await this.#opened.close();
    await this.#newFiles.close();
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

  #pathOf(extentId: string): string {
    // Ids come from the database; a damaged one must not lead out of the folder.
    if (!/^[0-9a-f]{12}\/[0-9a-f]{3}$/u.test(extentId)) {
      throw new ExtentCorruptionError(extentId, "its name is not one of ours");
    }
    return path.join(this.#root, extentId);
  }
}
