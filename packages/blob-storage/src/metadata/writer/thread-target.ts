import { Worker } from "node:worker_threads";
import { type Outcome, type Submission } from "./batch.ts";
import { type BatchTarget } from "./writer.ts";

/** What the two threads say to each other. */
export type ToWriter = { readonly kind: "run"; readonly batch: readonly Submission[] } | { readonly kind: "close" };
export type FromWriter =
  | { readonly kind: "ready" }
  | { readonly kind: "outcomes"; readonly outcomes: readonly Outcome[] };

/** A batch is small and short-lived: without a limit the thread's heap grows until there is a reason to clean it. */
const resourceLimits = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 256 };

/**
 * Runs batches in a thread of their own, so that the sync of a commit never holds up the event loop.
 *
 * @throws Error when the thread ends before it has opened the database
 */
export async function startThreadTarget(file: string): Promise<BatchTarget> {
  const worker = new Worker(new URL("./writer-thread.js", import.meta.url), { workerData: file, resourceLimits });
  const target = new ThreadTarget(worker);
  await target.ready;
  return target;
}

interface Expected {
  readonly resolve: (message: FromWriter) => void;
  readonly reject: (error: Error) => void;
}

class ThreadTarget implements BatchTarget {
  readonly #worker: Worker;
  /** At most one batch is on its way, so one answer is expected. */
  #expected: Expected | undefined;
  #failure: Error | undefined;
  readonly ready: Promise<void>;
  readonly #exited: Promise<void>;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.ready = this.#expect().then(() => undefined);
    this.#exited = new Promise((resolve) => worker.once("exit", () => resolve()));
    worker.on("message", (message: FromWriter) => this.#take()?.resolve(message));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the writer's thread has ended")));
  }

  async run(batch: readonly Submission[]): Promise<readonly Outcome[]> {
    const answer = this.#expect();
    this.#send({ kind: "run", batch });
    const message = await answer;
    return message.kind === "outcomes" ? message.outcomes : [];
  }

  async close(): Promise<void> {
    if (this.#failure === undefined) {
      this.#send({ kind: "close" });
    }
    await this.#exited;
  }

  #send(message: ToWriter): void {
    this.#worker.postMessage(message);
  }

  #expect(): Promise<FromWriter> {
    return new Promise((resolve, reject) => {
      if (this.#failure === undefined) {
        this.#expected = { resolve, reject };
      } else {
        reject(this.#failure);
      }
    });
  }

  #take(): Expected | undefined {
    const expected = this.#expected;
    this.#expected = undefined;
    return expected;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#take()?.reject(this.#failure);
  }
}
