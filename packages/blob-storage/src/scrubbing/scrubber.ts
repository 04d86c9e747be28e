import { type Clock } from "@trefoil/base";
import { type Logger } from "@trefoil/http";
import { type ExtentStore } from "../extents/extent-store.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all, first } from "../metadata/steps.ts";
import { type Verified } from "./scrub-commands.ts";
import { countDamaged, findUnverified } from "./scrub-statements.ts";
import { verifyExtent } from "./verify-extent.ts";
import { verifyRows } from "./verify-rows.ts";

export interface ScrubberOptions {
  readonly clock: Clock;
  readonly metadata: Metadata;
  readonly extents: ExtentStore;
  readonly logger: Logger;
  /** How fast it may read at most; 0 turns it off. */
  readonly bytesPerSecond: number;
  /** How long an extent that was verified is left alone. */
  readonly intervalMs: number;
  /** Returns after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/** What was verified since this process began, for `/metrics`. */
export interface ScrubberTotals {
  readonly extents: number;
  readonly bytes: number;
  /** Extents and rows in which damage was found, each time it was. */
  readonly damaged: number;
}

/** Records per change. */
const BATCH = 32;

/**
 * Finds damage before a reader does: reads every extent and every row with bytes again and again, slowly, and marks
 * the extents that fail their checksums. What was verified when is in the database, so a restart goes on where the last run was.
 */
export class Scrubber {
  readonly #options: ScrubberOptions;
  readonly #totals = { extents: 0, bytes: 0, damaged: 0 };
  #running: Promise<void> | undefined;
  #rowsVerifiedMs: number = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(options: ScrubberOptions) {
    this.#options = options;
  }

  get totals(): ScrubberTotals {
    return this.#totals;
  }

  /** Extents that are marked as damaged now. */
  countDamaged(): number {
    return this.#options.metadata.read(first(countDamaged, {}))?.count ?? 0;
  }

  /** Verifies what is due; who asks during a run gets that run. */
  scrub(): Promise<void> {
    this.#running ??= this.#scrub().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => undefined);
  }

  async #scrub(): Promise<void> {
    const { metadata, clock, intervalMs, bytesPerSecond } = this.#options;
    const beforeMs = clock.now() - intervalMs;
    if (bytesPerSecond > 0 && this.#rowsVerifiedMs < beforeMs) {
      await this.#scrubRows();
    }
    while (!this.#stopped && bytesPerSecond > 0) {
      const due = metadata.read(all(findUnverified, { beforeMs, limit: BATCH }));
      if (due.length === 0) {
        return;
      }
      const verified: Verified[] = [];
      for (const extent of due) {
        if (!this.#stopped) {
          verified.push({ extentId: extent.extent_id, isSound: await this.#isSound(extent) });
        }
      }
      await metadata.write("noteVerified", { verified });
    }
  }

  /** Rows have no mark of their own: all of them are read, once per interval of this process. */
  async #scrubRows(): Promise<void> {
    const { metadata, logger, clock } = this.#options;
    const onBytes = (bytes: number): Promise<void> => this.#pace(bytes);
    for await (const damaged of verifyRows({ metadata, onBytes, isStopped: () => this.#stopped })) {
      this.#totals.damaged += 1;
      logger.error({ damaged }, "stored bytes are damaged; `trefoil objects check` names the blobs");
    }
    if (!this.#stopped) {
      this.#rowsVerifiedMs = clock.now();
    }
  }

  async #isSound(extent: { readonly extent_id: string; readonly size: number }): Promise<boolean> {
    const { metadata, extents, logger } = this.#options;
    const result = await verifyExtent(extent, { metadata, extents, onBytes: (bytes) => this.#pace(bytes) });
    this.#totals.extents += 1;
    if (result.kind !== "damaged") {
      return true;
    }
    this.#totals.damaged += 1;
    logger.error(
      { extentId: extent.extent_id, detail: result.why },
      "stored bytes are damaged; `trefoil objects check` names the blobs",
    );
    return false;
  }

  /** Waits as long as the bytes may take at the rate that is allowed. */
  async #pace(bytes: number): Promise<void> {
    this.#totals.bytes += bytes;
    if (!this.#stopped) {
      await this.#options.wait((bytes / this.#options.bytesPerSecond) * 1000);
    }
  }
}
