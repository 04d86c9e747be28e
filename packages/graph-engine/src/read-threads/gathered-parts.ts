import { type IdRange } from "@trefoil/graph-store";
import { type Batch } from "../runtime/statement-result.ts";
import { type RequestedPart } from "./messages.ts";
import { type ReadJob, type ReadPool } from "./read-pool.ts";

/** Batches of a part that nobody has taken yet; a thread that has made more waits. */
const BATCHES_KEPT = 64;

interface BegunPart {
  readonly batches: Batch[];
  state: "running" | "done" | { readonly error: unknown };
  goOn: () => void;
}

/**
 * Runs the parts of a statement in as many threads of a pool as may be had, each with the next range that nobody has yet,
 * and gives their batches in the order of the ranges: also what one of them fails with comes after all before it.
 */
export class GatheredParts {
  readonly #pool: ReadPool;
  readonly #job: Omit<ReadJob, "signal" | "part">;
  readonly #part: Omit<RequestedPart, "range">;
  readonly #ranges: IdRange[];
  readonly #mayOpen: () => boolean;
  /** Begun and not yet given out to the end, in order. */
  readonly #parts: BegunPart[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #wake = (): void => {};

  /**
   * @param part     what all of them have in common
   * @param mayOpen  whether it is worth while to make the graph ready in one more thread
   */
  constructor(
    pool: ReadPool,
    job: Omit<ReadJob, "signal" | "part">,
    part: Omit<RequestedPart, "range">,
    ranges: readonly IdRange[],
    mayOpen: () => boolean,
  ) {
    this.#pool = pool;
    this.#job = job;
    this.#part = part;
    this.#ranges = [...ranges];
    this.#mayOpen = mayOpen;
  }

  /** The next batch, `undefined` after the last. @throws  what a part failed with */
  async next(): Promise<Batch | undefined> {
    for (;;) {
      this.#begin();
      const [first] = this.#parts;
      if (first === undefined) {
        if (this.#ranges.length === 0 || this.#stop.signal.aborted) {
          return undefined;
        }
        await this.#pool.freed;
        continue;
      }
      const batch = first.batches.shift();
      if (batch !== undefined) {
        first.goOn();
        return batch;
      }
      if (first.state === "running") {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (first.state === "done") {
        this.#parts.shift();
      } else {
        throw first.state.error;
      }
    }
  }

  /** Ends what still runs, and waits for it: then no thread looks at the graph for this any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#parts.forEach((part) => part.goOn());
    await Promise.all(this.#running);
  }

  /** Gives ranges to the threads that are free. */
  #begin(): void {
    while (!this.#stop.signal.aborted && !this.#parts.some(hasFailed) && this.#isOneFree()) {
      const range = this.#ranges.shift();
      if (range === undefined) {
        return;
      }
      const part: BegunPart = { batches: [], state: "running", goOn: () => {} };
      this.#parts.push(part);
      const running: Promise<void> = this.#run(part, range).finally(() => {
        this.#running.delete(running);
        this.#begin();
        this.#wake();
      });
      this.#running.add(running);
    }
  }

  /** The first is begun in any thread: who waits for none to be ready waits for ever. */
  #isOneFree(): boolean {
    const mayOpen = this.#running.size === 0 || this.#mayOpen();
    return mayOpen ? this.#pool.hasFree : this.#pool.isReadyFor(this.#job.graph);
  }

  async #run(part: BegunPart, range: IdRange): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const batch of this.#pool.run({ ...this.#job, part: { ...this.#part, range }, signal })) {
        part.batches.push(batch);
        this.#wake();
        if (part.batches.length >= BATCHES_KEPT && !signal.aborted) {
          await new Promise<void>((resolve) => {
            part.goOn = resolve;
          });
        }
        if (signal.aborted) {
          break;
        }
      }
      part.state = "done";
    } catch (error) {
      part.state = { error };
    }
  }
}

function hasFailed({ state }: BegunPart): boolean {
  return typeof state === "object";
}
