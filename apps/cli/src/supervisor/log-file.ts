import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** A log is `trefoil.log` and at most this many older files, each of at most this size. */
const maxSizeBytes = 16 * 1024 * 1024;
const olderFiles = 4;

export function logFileOf(dataDirectory: string): string {
  return path.join(dataDirectory, "logs", "trefoil.log");
}

/** A log file that starts anew when it is full and keeps a few older ones (`trefoil.log.1` is the newest of them). */
export class LogFile {
  readonly #file: string;
  readonly #maxSizeBytes: number;
  #descriptor: number;
  #sizeBytes: number;

  constructor(file: string, limitBytes: number = maxSizeBytes) {
    this.#file = file;
    this.#maxSizeBytes = limitBytes;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    this.#descriptor = openSync(file, "a", 0o600);
    this.#sizeBytes = fstatSync(this.#descriptor).size;
  }

  /** Written at once: what a process said last is what is looked for. A full disk loses lines, not the process. */
  write(chunk: Uint8Array): void {
    try {
      if (this.#sizeBytes > 0 && this.#sizeBytes + chunk.byteLength > this.#maxSizeBytes) {
        this.#rotate();
      }
      this.#sizeBytes += writeSync(this.#descriptor, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") {
        throw error;
      }
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #rotate(): void {
    for (let age = olderFiles - 1; age >= 0; age -= 1) {
      try {
        renameSync(age === 0 ? this.#file : `${this.#file}.${age}`, `${this.#file}.${age + 1}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
          throw error;
        }
      }
    }
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.#file, "a", 0o600);
    this.#sizeBytes = 0;
  }
}

/** The last lines of a file, or none when there is no file. */
export function readLastLines(file: string, count: number): readonly string[] {
  const wanted = 64 * 1024;
  try {
    const descriptor = openSync(file, "r");
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, wanted));
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    closeSync(descriptor);
    return bytes.toString("utf8").trimEnd().split("\n").slice(-count);
  } catch {
    return [];
  }
}
