import type { DestinationStream } from "pino";

const flushAtLength = 16 * 1024;
const flushAfterMs = 100;

/**
 * Log lines for standard output, handed on together: when there are many, after 100 ms, and when the process ends.
 * When the reader is gone (a supervisor killed, a closed pipe) lines are dropped: a server must neither fail nor hang
 * for its log.
 */
export class LogOutput implements DestinationStream {
  readonly #stream: NodeJS.WritableStream;
  #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #isBroken = false;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    stream.on("error", () => (this.#isBroken = true));
    process.on("exit", () => this.flush());
  }

  write(line: string): void {
    if (this.#isBroken) {
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= flushAtLength) {
      this.flush();
    } else {
      this.#timer ??= setTimeout(() => this.flush(), flushAfterMs).unref();
    }
  }

  /** Writes to standard output are complete when they return (Node: files, terminals and pipes on POSIX). */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#length > 0 && !this.#isBroken) {
      const text = this.#lines.join("");
      this.#lines = [];
      this.#length = 0;
      this.#stream.write(text);
    }
  }
}
