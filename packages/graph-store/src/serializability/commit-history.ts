import { type WriteSet } from "../transactions/write-set.ts";

/** A commit that is visible from `epoch` on. */
export interface PastCommit {
  readonly epoch: number;
  readonly changes: WriteSet;
}

/**
 * The commits that a serializable transaction must look at before it commits itself: those that have become visible
 * since its snapshot, and those that are on their way to the disk, which will come before it. Past ones are kept only
 * while somebody may ask for them.
 */
export class CommitHistory {
  readonly #onTheirWay = new Set<WriteSet>();
  #past: PastCommit[] = [];
  /** Snapshots of open serializable transactions, by epoch. */
  readonly #readers = new Map<number, number>();

  get onTheirWay(): Iterable<WriteSet> {
    return this.#onTheirWay;
  }

  /** Oldest first. */
  since(epoch: number): readonly PastCommit[] {
    return this.#past.filter((commit) => commit.epoch > epoch);
  }

  addReader(epoch: number): void {
    this.#readers.set(epoch, (this.#readers.get(epoch) ?? 0) + 1);
  }

  removeReader(epoch: number): void {
    const left = (this.#readers.get(epoch) ?? 0) - 1;
    if (left > 0) {
      this.#readers.set(epoch, left);
      return;
    }
    this.#readers.delete(epoch);
    const oldest = Math.min(...this.#readers.keys());
    const kept = this.#past.findIndex((commit) => commit.epoch > oldest);
    this.#past = kept < 0 ? [] : this.#past.slice(kept);
  }

  begin(changes: WriteSet): void {
    this.#onTheirWay.add(changes);
  }

  published(changes: WriteSet, epoch: number): void {
    this.#onTheirWay.delete(changes);
    if (this.#readers.size > 0) {
      this.#past.push({ epoch, changes });
    }
  }

  failed(changes: WriteSet): void {
    this.#onTheirWay.delete(changes);
  }
}
