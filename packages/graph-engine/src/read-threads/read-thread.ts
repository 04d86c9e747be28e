import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { serveReads } from "./serve-reads.ts";

const BELOW_OTHERS = 5;

/** The program of a thread that reads: the main thread is at the other end of its port. */
if (parentPort !== null) {
  if (platform() === "linux") {
    // Of this thread alone there, elsewhere of the process: the event loop goes before reads that take long.
    setPriority(BELOW_OTHERS);
  }
  serveReads(parentPort);
}
