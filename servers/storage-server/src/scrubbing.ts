import { type Scrubber } from "@trefoil/blob-storage";
import { type Logger } from "@trefoil/http";

const FIRST_MS = 60_000;
const INTERVAL_MS = 3_600_000;

/** Verifies what is due: a minute after the start, when clients have found their server, then every hour. */
export function startScrubbing(scrubber: Scrubber, logger: Logger): () => void {
  const scrub = (): void => {
    scrubber.scrub().catch((error: unknown) => logger.error({ err: error }, "verifying extents failed"));
  };
  const first = setTimeout(scrub, FIRST_MS).unref();
  const regular = setInterval(scrub, INTERVAL_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(regular);
  };
}
