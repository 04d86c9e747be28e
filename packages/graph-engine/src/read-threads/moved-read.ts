import { type GraphStore, type ReadView } from "@trefoil/graph-store";
import { type Elsewhere } from "../runtime/driver.ts";
import { type Batch } from "../runtime/statement-result.ts";
import { type Value } from "../values/value.ts";
import { NotMoved, type ReadPool } from "./read-pool.ts";

/** What a statement is run again with. */
export interface MovedStatement {
  readonly text: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly memoryBytes: number;
}

/** Statements that took long before, by whatever stands for them as long as their plan is kept. */
export type LongReads = WeakSet<object>;

/** A read that has taken so long before its first row is out begins again in another thread (rulings, Graph 16). */
const MOVED_AFTER_MS = 20;
/** One that was quicker than this is not taken for a long one the next time, whatever it was before. */
const SHORT_MS = MOVED_AFTER_MS / 2;
/** How many nodes and texts a thread makes ready in a millisecond when it is handed a graph. */
const OPENED_PER_MS = 5000;

/** A statement that may go on in one of the pool's threads, over the state that its view sees. */
export class MovedRead implements Elsewhere {
  readonly #pool: ReadPool;
  readonly #store: GraphStore;
  readonly #view: ReadView;
  readonly #statement: MovedStatement;
  readonly #long: LongReads;
  readonly #plan: object;

  constructor(
    pool: ReadPool,
    store: GraphStore,
    view: ReadView,
    statement: MovedStatement,
    long: LongReads,
    plan: object,
  ) {
    this.#long = long;
    this.#plan = plan;
    this.#pool = pool;
    this.#store = store;
    this.#view = view;
    this.#statement = statement;
  }

  isWorthwhile(tookMs: number): boolean {
    const isLong = tookMs > MOVED_AFTER_MS || this.#long.has(this.#plan);
    if (!isLong || !this.#view.clean) {
      return false;
    }
    const graph = this.#store.findShared(this.#view);
    if (graph !== undefined && this.#pool.isReadyFor(graph)) {
      return true;
    }
    return this.#pool.hasFree && tookMs > MOVED_AFTER_MS + 2 * this.#openingMs();
  }

  /** What a thread takes to make a graph ready that it does not have: bitmaps of labels, the table of texts, an index. */
  #openingMs(): number {
    const { base } = this.#view;
    return (2 * base.nodes.idLimit + base.strings.codeLimit) / OPENED_PER_MS;
  }

  async run(): Promise<AsyncGenerator<Batch, void, void> | undefined> {
    const { signal, ...statement } = this.#statement;
    const graph = this.#store.share(this.#view);
    if (graph === undefined || signal?.aborted === true) {
      return undefined;
    }
    const batches = this.#pool.run({ ...statement, graph, signal });
    try {
      this.#long.add(this.#plan);
      const beganMs = performance.now();
      const first = await batches.next();
      if (performance.now() - beganMs < SHORT_MS) {
        this.#long.delete(this.#plan);
      }
      return startingWith(first, batches);
    } catch (error) {
      if (error instanceof NotMoved) {
        this.#long.delete(this.#plan);
        return undefined;
      }
      throw error;
    }
  }
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
