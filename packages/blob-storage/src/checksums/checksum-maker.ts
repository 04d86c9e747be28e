import { type CalculatedChecksums, PassingChecksums, type WantedChecksums } from "./passing-checksums.ts";

/** Makes the checksums of large bodies, in this thread or in one of its own. */
export interface ChecksumMaker {
  begin(wanted: WantedChecksums, lengthBytes: number): BodyChecksums;
  close(): Promise<void>;
}

/** Of one body that is not empty. It ends when all of its bytes were taken, or with `drop`. */
export interface BodyChecksums {
  /** Takes the next bytes; their memory must stay as it is until the promise is resolved. */
  update(bytes: Uint8Array): Promise<void>;
  /** When all bytes have been gone through. */
  finish(): CalculatedChecksums;
  /** For a body that is given up. */
  drop(): void;
}

/** Makes them in this thread: for tests, and where a thread is not worth it. */
export const checksumsInProcess: ChecksumMaker = {
  begin: (wanted) => {
    const passing = new PassingChecksums(wanted);
    return {
      update: (bytes) => Promise.resolve(passing.update(bytes)),
      finish: () => passing.finish(),
      drop: () => undefined,
    };
  },
  close: () => Promise.resolve(),
};
