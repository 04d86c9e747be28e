import { platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type FromReader, type ReadThreadData } from "./messages.ts";
import { serveReads } from "./serve-reads.ts";
import { standAside } from "./standing-aside.ts";

const BELOW_OTHERS = 5;

/** The program of a thread that reads: the main thread is at the other end of its port. */
if (parentPort !== null) {
  const port = parentPort;
  if (platform() === "linux") {
    // Of this thread alone there, elsewhere of the process: the event loop goes before reads that take long.
    setPriority(BELOW_OTHERS);
    if ((workerData as ReadThreadData).standsAside) {
      standAside((thread) => port.postMessage({ kind: "stands aside", thread } satisfies FromReader));
    }
  }
  serveReads(port);
}
