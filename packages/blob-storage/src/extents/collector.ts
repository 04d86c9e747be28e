import { type Clock } from "@trefoil/base";
import { type Logger } from "@trefoil/http";
import { findOldUncommitted } from "../block-lists/staged-statements.ts";
import { findDeletedContainer } from "../containers/container-statements.ts";
import { findExtent, findGarbage, findGarbageContents } from "../contents/content-statements.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all, first } from "../metadata/steps.ts";
import { type ExtentStore } from "./extent-store.ts";
import { type RunningReads } from "./running-reads.ts";

/** Records per change, so that the writer is never held up for long. */
const BATCH = 100;

const UNCOMMITTED_LIFETIME_MS = 7 * 24 * 3_600_000;

export interface CollectorOptions {
  readonly clock: Clock;
  readonly metadata: Metadata;
  readonly extents: ExtentStore;
  readonly reads: RunningReads;
  readonly logger: Logger;
}

/** What a collection removed. */
export interface Collected {
  readonly extents: number;
  readonly containers: number;
}

/** For `/metrics`. */
export interface CollectorTotals extends Collected {
  /** Files that a crash had left without a record. */
  readonly orphans: number;
  /** Finished runs. */
  readonly collections: number;
}

/**
 * Removes what nothing refers to any more: blobs of deleted containers, extents whose last use has gone, and files
 * that a crash left without a record. Safe to interrupt anywhere: a file goes before its record does, and removing
 * one that is gone is no error.
 */
export class Collector {
  readonly #options: CollectorOptions;
  #running: Promise<Collected> | undefined;
  #stopped = false;
  readonly #totals = { extents: 0, containers: 0, orphans: 0, collections: 0 };

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** What was removed since this process began. */
  get totals(): CollectorTotals {
    return this.#totals;
  }

  /** One collection at a time; who asks during one gets that one's result. */
  collect(): Promise<Collected> {
    this.#running ??= this.#collect().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Removes files of earlier runs that no record names: uploads that a crash cut off. */
  async collectOrphans(): Promise<number> {
    const { metadata, extents, logger } = this.#options;
    let orphans = 0;
    for await (const { id, isOfThisRun } of extents.list()) {
      if (this.#stopped) {
        break;
      }
      if (!isOfThisRun && metadata.read(first(findExtent, { extentId: id })) === undefined) {
        await extents.delete(id);
        orphans += 1;
        this.#totals.orphans += 1;
      }
    }
    if (orphans > 0) {
      logger.info({ orphans }, "removed extents of uploads that were cut off");
    }
    return orphans;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => undefined);
  }

  async #collect(): Promise<Collected> {
    const containers = await this.#purgeContainers();
    await this.#purgeDeletedBlobs();
    await this.#dropOldBlocks();
    await this.#purgeContents();
    const removed = await this.#removeExtents();
    this.#totals.containers += containers;
    this.#totals.extents += removed;
    this.#totals.collections += 1;
    return { containers, extents: removed };
  }

  /** Deleted blobs whose time to come back is over. */
  async #purgeDeletedBlobs(): Promise<void> {
    let purged = BATCH;
    while (purged === BATCH && !this.#stopped) {
      purged = await this.#options.metadata.write("purgeDeletedBlobs", { limit: BATCH });
    }
  }

  /** Blocks that were staged and never committed live for a week (storage §10). */
  async #dropOldBlocks(): Promise<void> {
    const { metadata, clock } = this.#options;
    const beforeMs = clock.now() - UNCOMMITTED_LIFETIME_MS;
    for (;;) {
      const old = metadata.read(all(findOldUncommitted, { beforeMs, limit: BATCH }));
      if (old.length === 0 || this.#stopped) {
        return;
      }
      for (const { container_id: containerId, name } of old) {
        await metadata.write("dropOldBlocks", { containerId, name });
      }
    }
  }

  async #purgeContents(): Promise<void> {
    const { metadata, reads } = this.#options;
    for (;;) {
      const contentIds = metadata.read(all(findGarbageContents, { limit: BATCH })).map(({ content_id }) => content_id);
      if (contentIds.length === 0 || this.#stopped) {
        return;
      }
      // A read that began before the blob went finds its pieces until it has ended.
      await reads.finishedSoFar();
      await metadata.write("purgeContents", { contentIds });
    }
  }

  async #purgeContainers(): Promise<number> {
    const { metadata, clock } = this.#options;
    let purged = 0;
    for (;;) {
      const container = metadata.read(first(findDeletedContainer, { nowMs: clock.now() }));
      if (container === undefined || this.#stopped) {
        return purged;
      }
      const { done } = await metadata.write("purgeContainer", { containerId: container.container_id });
      purged += done ? 1 : 0;
    }
  }

  async #removeExtents(): Promise<number> {
    const { metadata, extents, reads } = this.#options;
    let removed = 0;
    for (;;) {
      const garbage = metadata.read(all(findGarbage, { limit: BATCH })).map(({ extent_id }) => extent_id);
      if (garbage.length === 0 || this.#stopped) {
        return removed;
      }
      // A read that began before the record went may still be on its way to the file.
      await reads.finishedSoFar();
      for (const extentId of garbage) {
        await extents.delete(extentId);
      }
      await metadata.write("forgetGarbage", { extentIds: garbage });
      removed += garbage.length;
    }
  }
}
