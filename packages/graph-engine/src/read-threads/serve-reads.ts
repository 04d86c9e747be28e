import { systemClock } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { type GraphStore, openSharedGraph } from "@trefoil/graph-store";
import { type MessagePort } from "node:worker_threads";
import { createEngine, type Engine } from "../session.ts";
import { BATCHES_AHEAD, errorToWire, OtherPlan, type ReaderAnswer, type ToReader } from "./messages.ts";
import { batchToWire, fromWire } from "./wire-values.ts";

/** Answers what comes over a port: one statement at a time, over the graph that was handed over last. */
export function serveReads(port: MessagePort): void {
  const reader = new Reader((message) => port.postMessage(message));
  port.on("message", (message: ToReader) => reader.take(message));
}

class Reader {
  readonly #answer: (message: ReaderAnswer) => void;
  #open: { readonly store: GraphStore; readonly engine: Engine } | undefined;
  #stop = new AbortController();
  #mayGo = 0;
  #wake = (): void => {};

  constructor(answer: (message: ReaderAnswer) => void) {
    this.#answer = answer;
  }

  take(message: ToReader): void {
    switch (message.kind) {
      case "graph": {
        const store = openSharedGraph(message.graph, systemClock);
        this.#open = {
          store,
          engine: createEngine({
            store,
            clock: systemClock,
            readThreads: 0,
            limits: { statementMemoryBytes: message.memoryBytes },
          }),
        };
        break;
      }
      case "run":
        void this.#run(message);
        break;
      case "more":
        this.#mayGo += 1;
        this.#wake();
        break;
      case "cancel":
        this.#stop.abort();
        this.#wake();
        break;
    }
  }

  async #run(message: ToReader & { readonly kind: "run" }): Promise<void> {
    this.#stop = new AbortController();
    this.#mayGo = BATCHES_AHEAD;
    let hasRows = false;
    try {
      for await (const batch of this.#batches(message)) {
        await this.#untilWanted();
        this.#answer({ kind: "batch", rows: batchToWire(batch) });
        hasRows = true;
      }
      this.#answer({ kind: "done" });
    } catch (error) {
      // What this thread does not know, such as functions of extensions, the main thread may.
      const isStatements = error instanceof QueryError && (hasRows || error.phase === "runtime");
      const why = error instanceof OtherPlan ? "other plan" : "unknown";
      this.#answer(isStatements ? { kind: "failed", error: errorToWire(error) } : { kind: "refused", why });
    }
  }

  async *#batches(message: ToReader & { readonly kind: "run" }): ReturnType<typeof batchesOf> {
    if (this.#open === undefined) {
      throw new TypeError("a graph is handed over before the first statement");
    }
    const { store, engine } = this.#open;
    const { text, parameters, timeoutMs, part } = message;
    const values = new Map([...parameters].map(([name, value]) => [name, fromWire(value)]));
    const transaction = store.begin();
    try {
      const options = { mode: "modern", signal: this.#stop.signal, timeoutMs } as const;
      yield* batchesOf(
        part === undefined
          ? await engine.execute(transaction, text, values, options)
          : engine.executePart(transaction, text, values, part, options),
      );
    } finally {
      transaction.rollback();
    }
  }

  async #untilWanted(): Promise<void> {
    while (this.#mayGo === 0 && !this.#stop.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#mayGo -= 1;
  }
}

async function* batchesOf(
  result: Awaited<ReturnType<Engine["execute"]>>,
): AsyncGenerator<Parameters<typeof batchToWire>[0], void, void> {
  try {
    yield* result.rows;
  } finally {
    result.close();
  }
}
