const DIGITS = 10;
const LOG = /^log-(\d{10})\.trefoil$/;
const CHECKPOINT = /^checkpoint-(\d{16})\.trefoil$/;

/** Log files count up; a checkpoint is named after the epoch it holds. */
export function logName(number: number): string {
  return `log-${String(number).padStart(DIGITS, "0")}.trefoil`;
}

export function checkpointName(epoch: number): string {
  return `checkpoint-${String(epoch).padStart(16, "0")}.trefoil`;
}

/** `undefined` for a name that is no log. */
export function logNumber(name: string): number | undefined {
  const match = LOG.exec(name);
  return match === null ? undefined : Number(match[1]);
}

export function checkpointEpoch(name: string): number | undefined {
  const match = CHECKPOINT.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** A file that was being written when the process ended. */
export function isUnfinished(name: string): boolean {
  return name.startsWith("checkpoint-") && name.endsWith(".part");
}
