import { type FileSystem } from "./file-system.ts";

/**
 * Syncs directories for many at once: those who ask while a sync is on its way share the next one, which begins
 * after they asked and so covers what they created.
 */
export class DirectorySyncs {
  readonly #fileSystem: FileSystem;
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  sync(path: string): Promise<void> {
    const running = this.#running.get(path);
    if (running === undefined) {
      return this.#start(path);
    }
    const next =
      this.#next.get(path) ??
      running
        .catch(() => undefined)
        .then(() => {
          this.#next.delete(path);
          return this.#start(path);
        });
    this.#next.set(path, next);
    return next;
  }

  #start(path: string): Promise<void> {
    const sync = this.#fileSystem.syncDirectory(path).finally(() => this.#running.delete(path));
    this.#running.set(path, sync);
    return sync;
  }
}
