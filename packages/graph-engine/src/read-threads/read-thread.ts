import { parentPort } from "node:worker_threads";
import { serveReads } from "./serve-reads.ts";

/** The program of a thread that reads: the main thread is at the other end of its port. */
if (parentPort !== null) {
  serveReads(parentPort);
}
