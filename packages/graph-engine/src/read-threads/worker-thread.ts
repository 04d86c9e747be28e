import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type FromReader, type ToReader } from "./messages.ts";
import { type ReaderThread } from "./read-pool.ts";

const PROGRAM = new URL("./read-thread.js", import.meta.url);

/** Whether threads can be started: not from sources that were not built. */
export const hasThreadProgram: boolean = existsSync(PROGRAM);

/** A worker thread. */
export function startWorkerThread(): ReaderThread {
  const worker = new Worker(PROGRAM);
  return {
    send: (message: ToReader) => worker.postMessage(message),
    listen: (onAnswer, onEnd) => {
      worker.on("message", (answer: FromReader) => onAnswer(answer));
      worker.on("error", onEnd);
      worker.on("exit", onEnd);
    },
    keepProcess: (isKept) => (isKept ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}
