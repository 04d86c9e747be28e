import { performance } from "node:perf_hooks";

/** What was longer ago is forgotten. */
const WINDOW_MS = 50;
const MUCH = 0.5;

/** Tells whether the event loop of this thread has had much to do lately. */
export function eventLoopJudge(): () => boolean {
  let began = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const { idle, active, utilization } = performance.eventLoopUtilization(began);
    if (idle + active >= WINDOW_MS) {
      isBusy = utilization > MUCH;
      began = performance.eventLoopUtilization();
    }
    return isBusy;
  };
}
