import { QueryError } from "@trefoil/cypher";
import { type SharedGraph } from "@trefoil/graph-store";
import { type Batch } from "../runtime/statement-result.ts";
import { type Value } from "../values/value.ts";
import { type FromReader, errorFromWire, type ToReader } from "./messages.ts";
import { batchFromWire, toWire } from "./wire-values.ts";

/** A thread that reads, or what stands for one in a test. */
export interface ReaderThread {
  send(message: ToReader): void;
  /** Tells of every answer, and of the thread's end. */
  listen(onAnswer: (answer: FromReader) => void, onEnd: () => void): void;
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
  /** Ends it early. */
  readonly signal: AbortSignal | undefined;
}

/** The statement cannot be run in another thread; nothing came of it. */
export class NotMoved extends Error {
  override readonly name = "NotMoved";
}

/** Rows are out already: the statement cannot begin again. */
function threadEnded(): QueryError {
  const message = "The thread that ran the statement has ended; it can be tried again.";
  return new QueryError("TransientError.General.OutOfMemoryError", message, { phase: "runtime" });
}

/** A thread that nobody has wanted for so long is ended: its graph takes memory. */
const IDLE_MS = 30_000;

/** Threads for long reads, made when they are wanted; each runs one statement at a time. */
export class ReadPool {
  readonly #start: () => ReaderThread;
  readonly #most: number;
  readonly #readers = new Set<PooledReader>();

  constructor(most: number, start: () => ReaderThread) {
    this.#most = most;
    this.#start = start;
  }

  /** Whether a statement could be run at once. */
  get hasFree(): boolean {
    return this.#readers.size < this.#most || this.#free() !== undefined;
  }

  /** Whether a statement over `graph` could be run at once, by a thread that has it. */
  isReadyFor(graph: SharedGraph): boolean {
    return [...this.#readers].some((reader) => !reader.isBusy && reader.state === graph.state);
  }

  /**
   * The batches of a statement, while its view stays open.
   *
   * @throws NotMoved  before the first batch
   * @throws QueryError  of the statement
   */
  async *run(job: ReadJob): AsyncGenerator<Batch, void, void> {
    const ready = [...this.#readers].find((each) => !each.isBusy && each.state === job.graph.state);
    const reader = ready ?? this.#free() ?? this.#another();
    if (reader === undefined) {
      throw new NotMoved();
    }
    yield* reader.run(job);
  }

  close(): void {
    this.#readers.forEach((reader) => reader.end());
    this.#readers.clear();
  }

  #free(): PooledReader | undefined {
    return [...this.#readers].find((reader) => !reader.isBusy);
  }

  #another(): PooledReader | undefined {
    if (this.#readers.size >= this.#most) {
      return undefined;
    }
    const reader = new PooledReader(this.#start(), (ended) => this.#readers.delete(ended));
    this.#readers.add(reader);
    return reader;
  }
}

class PooledReader {
  readonly #thread: ReaderThread;
  readonly #onEnd: (reader: PooledReader) => void;
  /** Of the graph that it has. */
  state = -1;
  #answers: FromReader[] = [];
  #wake = (): void => {};
  #hasEnded = false;
  #idle: NodeJS.Timeout | undefined;
  isBusy = false;

  constructor(thread: ReaderThread, onEnd: (reader: PooledReader) => void) {
    this.#thread = thread;
    this.#onEnd = onEnd;
    thread.listen(
      (answer) => {
        this.#answers.push(answer);
        this.#wake();
      },
      () => {
        this.#hasEnded = true;
        this.#onEnd(this);
        this.#wake();
      },
    );
  }

  async *run({ graph, memoryBytes, text, parameters, timeoutMs, signal }: ReadJob): AsyncGenerator<Batch, void, void> {
    this.isBusy = true;
    this.#thread.keepProcess(true);
    clearTimeout(this.#idle);
    let isOver = true;
    let hasRows = false;
    const cancel = (): void => this.#thread.send({ kind: "cancel" });
    signal?.addEventListener("abort", cancel);
    try {
      if (this.state !== graph.state) {
        this.#thread.send({ kind: "graph", graph, memoryBytes });
        this.state = graph.state;
      }
      const sent = new Map([...parameters].map(([name, value]) => [name, toWire(value)]));
      this.#thread.send({ kind: "run", text, parameters: sent, timeoutMs });
      isOver = false;
      for (;;) {
        const answer = await this.#next();
        isOver = answer.kind !== "batch";
        switch (answer.kind) {
          case "batch":
            hasRows = true;
            yield batchFromWire(answer.rows);
            this.#thread.send({ kind: "more" });
            break;
          case "done":
            return;
          case "failed":
            throw errorFromWire(answer.error);
          case "refused":
            throw hasRows ? threadEnded() : new NotMoved();
        }
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (!isOver) {
        // Given up on the way. The graph may change as soon as this returns: the thread must be done with it.
        cancel();
        while ((await this.#next()).kind === "batch") {
          // Batches that were on their way.
        }
      }
      this.isBusy = false;
      this.#thread.keepProcess(false);
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#onEnd(this);
    this.#thread.end();
  }

  async #next(): Promise<FromReader> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) {
        return answer;
      }
      if (this.#hasEnded) {
        return { kind: "refused" };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
