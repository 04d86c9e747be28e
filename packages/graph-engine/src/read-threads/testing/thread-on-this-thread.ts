import { MessageChannel } from "node:worker_threads";
import { type ReaderAnswer, type ToReader } from "../messages.ts";
import { type ReaderThread } from "../read-pool.ts";
import { serveReads } from "../serve-reads.ts";

/**
 * The other end of a port in the same thread: all that goes over it is copied as between threads.
 *
 * @param onSend  told of what it is asked
 */
export function threadOnThisThread(onSend: (message: ToReader) => void = () => {}): ReaderThread {
  const { port1, port2 } = new MessageChannel();
  serveReads(port2);
  return {
    send: (message: ToReader) => {
      onSend(message);
      port1.postMessage(message);
    },
    listen: (onAnswer) => void port1.on("message", (answer: ReaderAnswer) => onAnswer(answer)),
    isStarved: () => false,
    keepProcess: (isKept) => (isKept ? port1.ref() : port1.unref()),
    end: () => port1.close(),
  };
}
