import { type GraphStore, type SharedGraph } from "@trefoil/graph-store";
import { QueryError } from "@trefoil/cypher";
import { Drive, type DriveOptions, type Elsewhere } from "../runtime/driver.ts";
import { statementLimitBytes } from "../runtime/memory-guard.ts";
import { NotMergeable } from "../runtime/partial-aggregates.ts";
import { type PreparedStatement, type SplitStatement } from "../runtime/prepared-statement.ts";
import { type StatementContext } from "../runtime/statement-context.ts";
import { type Batch } from "../runtime/statement-result.ts";
import { GatheredParts } from "./gathered-parts.ts";
import { NotMoved, type ReadJob, type ReadPool } from "./read-pool.ts";
import { scanRanges } from "./scan-ranges.ts";

/** What is known of statements that ran before, as long as their plans are kept. */
export class LongReads {
  /** Took long. */
  readonly long: WeakSet<PreparedStatement> = new WeakSet<PreparedStatement>();
  /** Could not be put together from parts. */
  readonly whole: WeakSet<PreparedStatement> = new WeakSet<PreparedStatement>();
  /** Other threads, which plan by the present counts, plan them in another way. */
  readonly outdated: WeakSet<PreparedStatement> = new WeakSet<PreparedStatement>();
  /** The state of the graph that one of them has read to its end. */
  state = -1;
  /** What long reads have taken on the event loop since a thread was last handed a graph. */
  hereMs = 0;
}

/** A read that has taken so long before its first row is out begins again in another thread (rulings, Graph 16). */
const MOVED_AFTER_MS = 20;
/** One that was quicker than this is not taken for a long one the next time, whatever it was before. */
const SHORT_MS = MOVED_AFTER_MS / 2;
/** How many nodes and texts a thread makes ready in a millisecond when it is handed a graph. */
const OPENED_PER_MS = 5000;
/** A thread that is done early takes another range: ranges take different times. */
const RANGES_PER_THREAD = 2;
const FEWEST_RANGES = 8;

/** A statement that may go on in the pool's threads, over the state that its view sees: in parts, or whole in one. */
export class MovedRead implements Elsewhere {
  readonly #pool: ReadPool;
  readonly #store: GraphStore;
  readonly #prepared: PreparedStatement;
  readonly #statement: StatementContext;
  readonly #options: DriveOptions;
  readonly #known: LongReads;
  /** What it took here. */
  #tookMs = 0;

  constructor(
    { pool, store, known }: { readonly pool: ReadPool; readonly store: GraphStore; readonly known: LongReads },
    prepared: PreparedStatement,
    statement: StatementContext,
    options: DriveOptions,
  ) {
    this.#pool = pool;
    this.#store = store;
    this.#known = known;
    this.#prepared = prepared;
    this.#statement = statement;
    this.#options = options;
  }

  isWorthwhile(tookMs: number): boolean {
    const { view } = this.#statement;
    const isLong = tookMs > MOVED_AFTER_MS || this.#known.long.has(this.#prepared);
    if (!isLong || !view.clean) {
      return false;
    }
    if (this.#store.readRelationships() !== undefined) {
      // Threads are handed all there is: what nobody has asked for yet is read before that, without a pause for others.
      return false;
    }
    this.#known.hereMs += tookMs - this.#tookMs;
    this.#tookMs = tookMs;
    const graph = this.#store.findShared(view);
    if (graph !== undefined && this.#pool.isReadyFor(graph)) {
      return true;
    }
    // Many that are not worth it each are together: their time is what the event loop lacks.
    if (!this.#pool.hasFree || !this.#isWorthOpening(this.#known.hereMs)) {
      return false;
    }
    this.#known.hereMs = 0;
    return true;
  }

  /** Whether to hand a thread a graph that it does not have: it makes bitmaps of labels, the table of texts, an index. */
  #isWorthOpening(readMs: number): boolean {
    const { base } = this.#statement.view;
    return readMs > MOVED_AFTER_MS + (2 * (2 * base.nodes.idLimit + base.strings.codeLimit)) / OPENED_PER_MS;
  }

  async run(): Promise<AsyncGenerator<Batch, void, void> | undefined> {
    const graph = this.#store.share(this.#statement.view);
    if (graph === undefined || this.#options.signal?.aborted === true) {
      return undefined;
    }
    const split = this.#pool.most === 1 || this.#known.whole.has(this.#prepared) ? undefined : this.#prepared.split();
    const inParts = split?.pays === true ? await this.#begun(this.#inParts(graph, split), this.#pool.room) : undefined;
    return inParts ?? (await this.#begun(this.#whole(graph), 1));
  }

  /** The batches once there is a first one; `undefined` when they cannot be had there. */
  async #begun(
    batches: AsyncGenerator<Batch, void, void>,
    threads: number,
  ): Promise<AsyncGenerator<Batch, void, void> | undefined> {
    const { long, outdated, whole } = this.#known;
    const beganMs = performance.now();
    try {
      long.add(this.#prepared);
      const first = await batches.next();
      if ((performance.now() - beganMs) * threads < SHORT_MS) {
        long.delete(this.#prepared);
      }
      return startingWith(first, batches);
    } catch (error) {
      if (error instanceof NotMoved) {
        long.delete(this.#prepared);
        (error.why === "other plan" ? outdated : whole).add(this.#prepared);
        return undefined;
      }
      throw error;
    }
  }

  #whole(graph: SharedGraph): AsyncGenerator<Batch, void, void> {
    const { signal, deadlineMs, now } = this.#options;
    const timeoutMs = deadlineMs === Number.POSITIVE_INFINITY ? undefined : Math.max(0, deadlineMs - now());
    return this.#pool.run({ ...this.#job(graph), timeoutMs, signal });
  }

  /** @throws NotMoved  also where the parts do not come together, or have too little memory each */
  async *#inParts(graph: SharedGraph, split: SplitStatement): AsyncGenerator<Batch, void, void> {
    const { view, tokens, context } = this.#statement;
    const beganMs = performance.now();
    const ranges = scanRanges(split.scan, view, tokens, Math.max(FEWEST_RANGES, RANGES_PER_THREAD * this.#pool.most));
    const memoryBytes = statementLimitBytes(this.#options.memoryBytes) / (this.#pool.most + 1);
    const shared = {
      source: split.source,
      timeMs: context.statementTimeMs,
      counts: Array.from({ length: split.sharedCounts }, () => new SharedArrayBuffer(4 * view.nodeIdLimit)),
      memoryBytes,
    };
    const wasRead = this.#known.state === graph.state;
    const gathered = new GatheredParts(
      this.#pool,
      this.#job(graph),
      shared,
      ranges,
      () => wasRead || this.#isWorthOpening(this.#tookMs + performance.now() - beganMs),
    );
    const options = { ...this.#options, elsewhere: undefined, memoryBytes };
    const drive = new Drive(split.merge, { ...this.#statement, gathered }, options);
    try {
      for (let batch = await drive.next(); batch !== undefined; batch = await drive.next()) {
        yield batch;
      }
      this.#known.state = graph.state;
    } catch (error) {
      throw error instanceof NotMergeable || isOutOfMemory(error) ? new NotMoved() : error;
    } finally {
      drive.close();
      await gathered.close();
    }
  }

  #job(graph: SharedGraph): Omit<ReadJob, "signal"> {
    const { parameters } = this.#statement;
    const { text } = this.#prepared.statement;
    return { graph, text, parameters, timeoutMs: undefined, memoryBytes: this.#options.memoryBytes };
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof QueryError && error.code === "TransientError.General.OutOfMemoryError";
}

async function* startingWith(
  first: IteratorResult<Batch, void>,
  rest: AsyncGenerator<Batch, void, void>,
): AsyncGenerator<Batch, void, void> {
  if (first.done === true) {
    return;
  }
  try {
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}
