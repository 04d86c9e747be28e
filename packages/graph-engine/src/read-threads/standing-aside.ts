import { execFile } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/**
 * Makes this thread run only where no other has anything to do, and gives way at once to one that has (SCHED_IDLE). Being
 * less important is not enough: a thread keeps the processor to the end of its slice even from one that just woke up
 * (decisions/0207). Where it cannot be done, nothing is.
 *
 * @param onDone  told which thread this is
 */
export function standAside(onDone: (thread: string) => void): void {
  try {
    const thread = path.basename(readlinkSync("/proc/thread-self"));
    readFileSync(waitingFile(thread));
    execFile("chrt", ["-i", "-p", "0", thread], (error) => {
      if (error === null) {
        onDone(thread);
      }
    });
  } catch {
    // Another system, or one without these files.
  }
}

/** Nanoseconds on a processor, and of waiting for one (Documentation/scheduler/sched-stats.rst). */
interface Times {
  readonly ranNs: number;
  readonly waitedNs: number;
}

const LONG_WAIT_NS = 0.5e9;
/** Of the time in which it wanted to run. */
const LITTLE = 0.1;

/** Tells whether a thread of this process hardly got to run since it was asked before, though it wanted to. */
export function starvationJudge(thread: string): () => boolean {
  let before = timesOf(thread);
  return () => {
    const now = timesOf(thread);
    const ranNs = now.ranNs - before.ranNs;
    const waitedNs = now.waitedNs - before.waitedNs;
    before = now;
    return isStarved({ ranNs, waitedNs });
  };
}

export function isStarved({ ranNs, waitedNs }: Times): boolean {
  return waitedNs > LONG_WAIT_NS && ranNs < LITTLE * (ranNs + waitedNs);
}

function timesOf(thread: string): Times {
  try {
    const [ranNs = 0, waitedNs = 0] = readFileSync(waitingFile(thread), "latin1").split(" ").map(Number);
    return { ranNs, waitedNs };
  } catch {
    // It has ended.
    return { ranNs: 0, waitedNs: 0 };
  }
}

function waitingFile(thread: string): string {
  return `/proc/self/task/${thread}/schedstat`;
}
