import { type Collector } from "@trefoil/blob-storage";
import { type Logger } from "@trefoil/http";

const INTERVAL_MS = 30_000;

/** Collects what nothing refers to: what a crash left, once, then regularly. @returns stops it */
export function startCollecting(collector: Collector, logger: Logger): () => void {
  const failed = (error: unknown): void => logger.error({ err: error }, "collecting unused extents failed");
  collector.collectOrphans().catch(failed);
  collector.collect().catch(failed);
  const timer = setInterval(() => void collector.collect().catch(failed), INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
