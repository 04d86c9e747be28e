import { getHeapStatistics } from "node:v8";
import { QueryError } from "@trefoil/cypher";

/** With more of the heap than this in use, whoever has taken much of it gives way before the process must. */
const FULL_PART = 0.85;
/** What counts as much. */
const MUCH_PART = 0.1;
/** The part of the heap that one statement may take when nothing else is said. */
const STATEMENT_PART = 1 / 3;

/**
 * Watches what a statement keeps on the heap: rows to be sorted, groups, lists. Nobody counts bytes where they are
 * made, which would cost every row; the heap is looked at when the statement pauses, and what it has grown by while
 * this statement ran is held against it. What a collection of garbage has left over counts, so passing values do not.
 */
export class MemoryGuard {
  readonly #limitBytes: number;
  readonly #heapBytes: number;
  /** In use when the statement began, without what turned out to be garbage. */
  #beganBytes: number;
  #sliceBeganBytes: number;
  #lastBytes: number;
  /** What was in use after the last collection, as far as one was noticed. */
  #keptBytes: number;
  /** Taken while the statement ran, garbage included. */
  #takenBytes = 0;

  /** @param limitBytes  0 for a third of the heap */
  constructor(limitBytes: number) {
    const { used_heap_size: usedBytes, heap_size_limit: heapBytes } = getHeapStatistics();
    this.#heapBytes = heapBytes;
    this.#limitBytes = statementLimitBytes(limitBytes);
    this.#beganBytes = usedBytes;
    this.#sliceBeganBytes = usedBytes;
    this.#lastBytes = usedBytes;
    this.#keptBytes = usedBytes;
  }

  /** Others have had their turn: what was taken meanwhile is not this statement's. */
  resume(): void {
    this.#sliceBeganBytes = getHeapStatistics().used_heap_size;
  }

  /** @throws QueryError  TransientError.General.OutOfMemoryError */
  pause(): void {
    const usedBytes = getHeapStatistics().used_heap_size;
    this.#takenBytes += Math.max(0, usedBytes - this.#sliceBeganBytes);
    if (usedBytes < this.#lastBytes) {
      this.#keptBytes = usedBytes;
      this.#beganBytes = Math.min(this.#beganBytes, usedBytes);
    }
    this.#lastBytes = usedBytes;
    const isOverLimit = this.#takenBytes > this.#limitBytes && this.#keptBytes - this.#beganBytes > this.#limitBytes;
    const isFull = usedBytes > this.#heapBytes * FULL_PART && this.#takenBytes > this.#heapBytes * MUCH_PART;
    if (isOverLimit || isFull) {
      throw new QueryError(
        "TransientError.General.OutOfMemoryError",
        `The statement needs more memory than it may have: ${megabytes(isOverLimit ? this.#limitBytes : this.#heapBytes * FULL_PART)} MB.`,
        { phase: "runtime" },
      );
    }
  }
}

/** @param limitBytes  0 for a third of the heap */
export function statementLimitBytes(limitBytes: number): number {
  return limitBytes === 0 ? getHeapStatistics().heap_size_limit * STATEMENT_PART : limitBytes;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
