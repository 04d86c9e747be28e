import { SingleBar } from "cli-progress";
import type { WriteStream } from "node:tty";

export interface ProgressBar {
  /** `done` of the total; the total may turn out different on the way. */
  update(done: number, total?: number): void;
  stop(): void;
}

const silent: ProgressBar = { update: () => undefined, stop: () => undefined };

/** A bar with share, count and time left, on a terminal; nothing elsewhere. */
export function createProgressBar(
  { label, total, unit = "" }: { readonly label: string; readonly total: number; readonly unit?: string },
  stream: WriteStream | NodeJS.WritableStream,
): ProgressBar {
  if (!("isTTY" in stream && stream.isTTY)) {
    return silent;
  }
  const bar = new SingleBar({
    format: `${label} [{bar}] {percentage}% {value}/{total} ${unit} {eta_formatted}`,
    stream,
    hideCursor: true,
  });
  bar.start(total, 0);
  return {
    update: (done, newTotal) => {
      if (newTotal !== undefined) {
        bar.setTotal(newTotal);
      }
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
