import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type FromReader, type ReadThreadData, type ToReader } from "./messages.ts";
import { type ReaderThread } from "./read-pool.ts";
import { starvationJudge } from "./standing-aside.ts";

const PROGRAM = new URL("./read-thread.js", import.meta.url);

/** Whether threads can be started: not from sources that were not built. */
export const hasThreadProgram: boolean = existsSync(PROGRAM);

/** A worker thread. */
export function startWorkerThread(standsAside: boolean): ReaderThread {
  const worker = new Worker(PROGRAM, { workerData: { standsAside } satisfies ReadThreadData });
  let isStarved = (): boolean => false;
  return {
    send: (message: ToReader) => worker.postMessage(message),
    listen: (onAnswer, onEnd) => {
      worker.on("message", (answer: FromReader) => {
        if (answer.kind === "stands aside") {
          isStarved = starvationJudge(answer.thread);
        } else {
          onAnswer(answer);
        }
      });
      worker.on("error", onEnd);
      worker.on("exit", onEnd);
    },
    isStarved: () => isStarved(),
    keepProcess: (isKept) => (isKept ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}
