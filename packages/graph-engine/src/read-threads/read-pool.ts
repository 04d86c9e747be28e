import { QueryError } from "@trefoil/cypher";
import { type SharedGraph } from "@trefoil/graph-store";
import { cancelled, LONGEST_TIMER_MS, outOfTime } from "../runtime/driver.ts";
import { type Batch } from "../runtime/statement-result.ts";
import { type Value } from "../values/value.ts";
import { errorFromWire, type ReaderAnswer, type RequestedPart, type ToReader } from "./messages.ts";
import { batchFromWire, toWire } from "./wire-values.ts";

/** A thread that reads, or what stands for one in a test. */
export interface ReaderThread {
  send(message: ToReader): void;
  /** Tells of every answer, and of the thread's end. */
  listen(onAnswer: (answer: ReaderAnswer) => void, onEnd: () => void): void;
  /** Whether it hardly got to run since this was asked before, because it stands aside and others take all processors. */
  isStarved(): boolean;
  /** Whether the process stays alive for it: while it runs a statement, and no longer. */
  keepProcess(isKept: boolean): void;
  end(): void;
}

/** A statement to be run over `graph`. */
export interface ReadJob {
  readonly graph: SharedGraph;
  readonly text: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly timeoutMs: number | undefined;
  readonly memoryBytes: number;
  /** When it is run in several parts, the one that is wanted. */
  readonly part?: RequestedPart | undefined;
  /** Ends it early. */
  readonly signal: AbortSignal | undefined;
}

/** The statement cannot be run in another thread; nothing came of it. */
export class NotMoved extends Error {
  override readonly name = "NotMoved";
  readonly why: "unknown" | "other plan" | "starved";

  constructor(why: NotMoved["why"] = "unknown") {
    super();
    this.why = why;
  }
}

/** Rows are out already: the statement cannot begin again. */
function threadEnded(): QueryError {
  const message = "The thread that ran the statement has ended; it can be tried again.";
  return new QueryError("TransientError.General.OutOfMemoryError", message, { phase: "runtime" });
}

/** A thread that nobody has wanted for so long is ended: its graph takes memory. */
const IDLE_MS = 30_000;
/** So often is asked whether a thread is starved. */
const LOOK_MS = 1000;
/**
 * For so long a thread may take to end a statement that is not wanted any more, or has no time left: one that does not get
 * to run would keep its client waiting for ever (rulings, Graph 16: 50 ms).
 */
const OVERDUE_MS = 40;
/** For so long no thread is made to stand aside after one was starved. */
const CROWDED_MS = 60_000;

/**
 * Threads for long reads, made when they are wanted; each runs one statement, or a part of one, at a time. While the main
 * thread has much to do, one processor is left to it (rulings, Graph 16).
 */
export class ReadPool {
  readonly #start: (standsAside: boolean) => ReaderThread;
  readonly most: number;
  readonly #isMainBusy: () => boolean;
  readonly #readers = new Set<PooledReader>();
  #whenFree = (): void => {};
  #freed: Promise<void> | undefined;
  #crowdedUntilMs = 0;

  constructor(most: number, start: (standsAside: boolean) => ReaderThread, isMainBusy: () => boolean = () => false) {
    this.most = most;
    this.#start = start;
    this.#isMainBusy = isMainBusy;
  }

  /** How many statements or parts may be run at once now. */
  get room(): number {
    return this.#isMainBusy() ? Math.max(1, this.most - 1) : this.most;
  }

  /** Whether a statement could be run at once. */
  get hasFree(): boolean {
    return [...this.#readers].filter((reader) => reader.isBusy).length < this.room;
  }

  /** Whether a statement over `graph` could be run at once, by a thread that has it. */
  isReadyFor(graph: SharedGraph): boolean {
    return this.hasFree && this.#ready(graph) !== undefined;
  }

  /** Resolves when a thread has come to the end of something. */
  get freed(): Promise<void> {
    this.#freed ??= new Promise((resolve) => {
      this.#whenFree = resolve;
    });
    return this.#freed;
  }

  /**
   * The batches of a statement, while its view stays open. A thread is taken before this returns for the first time.
   *
   * @throws NotMoved  before the first batch
   * @throws QueryError  of the statement
   */
  async *run(job: ReadJob): AsyncGenerator<Batch, void, void> {
    const reader = this.hasFree ? (this.#ready(job.graph) ?? this.#free() ?? this.#another()) : undefined;
    if (reader === undefined) {
      throw new NotMoved();
    }
    try {
      yield* this.#runSomewhere(job, reader);
    } finally {
      this.#freed = undefined;
      this.#whenFree();
    }
  }

  /** A thread that stands aside cannot change its mind: where it starves, another one begins again that competes. */
  async *#runSomewhere(job: ReadJob, reader: PooledReader): AsyncGenerator<Batch, void, void> {
    const beganMs = performance.now();
    try {
      yield* reader.run(job);
    } catch (error) {
      if (!(error instanceof NotMoved) || error.why !== "starved") {
        throw error;
      }
      const nowMs = performance.now();
      reader.end();
      this.#crowdedUntilMs = nowMs + CROWDED_MS;
      const timeoutMs = job.timeoutMs === undefined ? undefined : Math.max(0, job.timeoutMs - (nowMs - beganMs));
      yield* this.#another().run({ ...job, timeoutMs });
    }
  }

  close(): void {
    this.#readers.forEach((reader) => reader.end());
    this.#readers.clear();
  }

  #ready({ state }: SharedGraph): PooledReader | undefined {
    return [...this.#readers].find((reader) => !reader.isBusy && reader.state === state);
  }

  #free(): PooledReader | undefined {
    return [...this.#readers].find((reader) => !reader.isBusy);
  }

  #another(): PooledReader {
    const thread = this.#start(performance.now() >= this.#crowdedUntilMs);
    const reader = new PooledReader(thread, (ended) => this.#readers.delete(ended));
    this.#readers.add(reader);
    return reader;
  }
}

/** A thread's answer, or that it has not come in time. */
type Answer = ReaderAnswer | { readonly kind: "overdue"; readonly error: QueryError };

class PooledReader {
  readonly #thread: ReaderThread;
  readonly #onEnd: (reader: PooledReader) => void;
  /** Of the graph that it has. */
  state = -1;
  #answers: Answer[] = [];
  #wake = (): void => {};
  #hasEnded = false;
  #idle: NodeJS.Timeout | undefined;
  isBusy = false;

  constructor(thread: ReaderThread, onEnd: (reader: PooledReader) => void) {
    this.#thread = thread;
    this.#onEnd = onEnd;
    thread.listen(
      (answer) => this.#take(answer),
      () => {
        this.#hasEnded = true;
        this.#onEnd(this);
        this.#wake();
      },
    );
  }

  async *run(job: ReadJob): AsyncGenerator<Batch, void, void> {
    const { graph, memoryBytes, text, parameters, timeoutMs, part, signal } = job;
    this.isBusy = true;
    // What a thread that has not come to its end in time, or has been looked at, is told of too late.
    this.#answers = [];
    this.#thread.keepProcess(true);
    clearTimeout(this.#idle);
    let isOver = true;
    let hasRows = false;
    const looking = this.#looking();
    const overdue = (error: QueryError): void => this.#take({ kind: "overdue", error });
    const endsMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : timeoutMs + OVERDUE_MS;
    let waiting = endsMs > LONGEST_TIMER_MS ? undefined : setTimeout(() => overdue(outOfTime()), endsMs);
    const cancel = (): void => {
      this.#thread.send({ kind: "cancel" });
      clearTimeout(waiting);
      waiting = setTimeout(() => overdue(cancelled()), OVERDUE_MS);
    };
    signal?.addEventListener("abort", cancel);
    try {
      if (this.state !== graph.state) {
        this.#thread.send({ kind: "graph", graph, memoryBytes });
        this.state = graph.state;
      }
      const sent = new Map([...parameters].map(([name, value]) => [name, toWire(value)]));
      this.#thread.send({ kind: "run", text, parameters: sent, timeoutMs, part });
      if (signal?.aborted === true) {
        cancel();
      }
      isOver = false;
      for (;;) {
        const answer = await this.#next();
        isOver = answer.kind !== "batch";
        switch (answer.kind) {
          case "batch":
            hasRows = true;
            clearInterval(looking);
            yield batchFromWire(answer.rows);
            this.#thread.send({ kind: "more" });
            break;
          case "done":
            return;
          case "failed":
            throw errorFromWire(answer.error);
          case "overdue":
            this.end();
            throw answer.error;
          case "refused":
            throw hasRows ? threadEnded() : new NotMoved(answer.why);
        }
      }
    } finally {
      clearInterval(looking);
      signal?.removeEventListener("abort", cancel);
      if (!isOver) {
        // Given up on the way. The graph may change as soon as this returns: the thread must be done with it.
        cancel();
        await this.#untilDone();
      }
      clearTimeout(waiting);
      this.isBusy = false;
      this.#thread.keepProcess(false);
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  /** Past the batches that were on their way. */
  async #untilDone(): Promise<void> {
    let answer: Answer;
    do {
      answer = await this.#next();
    } while (answer.kind === "batch");
    if (answer.kind === "overdue") {
      this.end();
    }
  }

  /** Until there are rows the statement is refused when the thread is starved. */
  #looking(): NodeJS.Timeout {
    this.#thread.isStarved();
    return setInterval(() => {
      if (this.#thread.isStarved()) {
        this.#take({ kind: "refused", why: "starved" });
      }
    }, LOOK_MS).unref();
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#onEnd(this);
    this.#thread.end();
  }

  #take(answer: Answer): void {
    this.#answers.push(answer);
    this.#wake();
  }

  async #next(): Promise<Answer> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) {
        return answer;
      }
      if (this.#hasEnded) {
        return { kind: "refused", why: "unknown" };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
