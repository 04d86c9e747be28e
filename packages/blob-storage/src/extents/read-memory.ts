/** Bytes read by one call of the system: the size of each buffer. */
export const READ_BYTES: number = 512 * 1024;

/** Buffers kept for the next reads: enough for what runs at once, little for a process that is idle. */
const KEPT = 16;

const free: Buffer[] = [];

/**
 * Memory for a part of a read. New memory is given to a process page by page as it is first touched, which costs more
 * than reading into it: so buffers go round.
 */
export function takeReadMemory(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES);
}

/** Gives a buffer back; nobody may use it any more, neither the disk nor a connection. */
export function returnReadMemory(buffer: Buffer): void {
  if (free.length < KEPT) {
    free.push(buffer);
  }
}
