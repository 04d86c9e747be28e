import { Buffer } from "node:buffer";
import { type CommitLog } from "../log/commit-log.ts";
import { decodeHeader, HEADER_BYTES } from "../log/file-header.ts";
import { checkpointEpoch, logNumber } from "../log/segment-names.ts";
import { readWhole, type StoreFiles } from "../log/store-files.ts";
import { type Tokens } from "../tables/token-table.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { Sections, writeCheckpoint } from "./checkpoint-writer.ts";

/**
 * Makes checkpoints while transactions go on: the base is pinned at its epoch, so it stays as it is while it is written,
 * and commits gather in the layers above (versions/version-store.ts). The steps, each safe to be stopped after:
 * a new log file; the checkpoint beside, synced, renamed; older checkpoints and the logs that it covers removed.
 */
export class Checkpointer {
  readonly #files: StoreFiles;
  readonly #storeId: Buffer;
  readonly #versions: VersionStore;
  readonly #tokens: Tokens;
  readonly #log: CommitLog;
  #running: Promise<void> | undefined;

  constructor(files: StoreFiles, storeId: Buffer, versions: VersionStore, tokens: Tokens, log: CommitLog) {
    this.#files = files;
    this.#storeId = storeId;
    this.#versions = versions;
    this.#tokens = tokens;
    this.#log = log;
  }

  /** One at a time: who asks while one runs gets that one. */
  run(): Promise<void> {
    this.#running ??= this.#checkpoint().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Keeps what was put into the base without the log (an import). Stopped before the checkpoint has its name, the store
   * is as it was before; after that, recovery finds the checkpoint ahead of the log and goes on from there.
   */
  async keepImport(): Promise<void> {
    const epoch = this.#versions.epoch;
    await this.#write(epoch);
    await this.#log.continueAfter(epoch);
    await this.#removeCovered(epoch);
  }

  /** Does something while no checkpoint is made, and none begins until it is done: files stay where they are. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.idle();
    const result = work();
    this.#running = result
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.#running = undefined;
      });
    return result;
  }

  /** Resolves when none runs any more, however the last one ended. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  async #checkpoint(): Promise<void> {
    await this.#versions.readRelationships();
    await this.#log.rotate();
    const epoch = this.#versions.baseEpoch;
    this.#versions.pin(epoch);
    try {
      await this.#write(epoch);
    } finally {
      this.#versions.unpin(epoch);
    }
    await this.#removeCovered(epoch);
  }

  async #write(epoch: number): Promise<void> {
    const sections = new Sections();
    sections.json("tokens", this.#tokens.save());
    sections.json("schema", this.#versions.catalog.schema.save());
    // Newer than the base, which replay does not mind: these changes can be done again.
    sections.json("legacy", this.#versions.catalog.legacy.save());
    this.#versions.base.save(sections);
    await writeCheckpoint(this.#files, this.#storeId, epoch, sections);
  }

  async #removeCovered(epoch: number): Promise<void> {
    const names = await this.#files.names();
    for (const name of names.filter((other) => (checkpointEpoch(other) ?? epoch) < epoch)) {
      await this.#files.remove(name);
    }
    const logs = names.filter((name) => logNumber(name) !== undefined);
    // A log is covered when the next one begins at or before the checkpoint; oldest first, so that no gap can be left.
    for (let index = 0; index + 1 < logs.length; index++) {
      const next = logs[index + 1] as string;
      const bytes = await readWhole(this.#files, next, (size) => Buffer.alloc(Math.min(size, HEADER_BYTES)));
      if (decodeHeader(bytes, next, "log").epoch > epoch) {
        return;
      }
      await this.#files.remove(logs[index] as string);
    }
    await this.#files.syncNames();
  }
}
