import { Worker } from "node:worker_threads";
import { must } from "@trefoil/base";
import { type BodyChecksums, type ChecksumMaker } from "./checksum-maker.ts";
import { type CalculatedChecksums, type WantedChecksums } from "./passing-checksums.ts";

/** What the thread is told. Bytes are answered in their order: by the checksums when they were the last, else by nothing. */
export type ToChecksumThread =
  | { readonly kind: "bytes"; readonly body: Body; readonly bytes: Uint8Array }
  | { readonly kind: "drop"; readonly body: Body };
export type FromChecksumThread = CalculatedChecksums | undefined;

export interface Body {
  readonly id: number;
  readonly wanted: WantedChecksums;
  readonly lengthBytes: number;
}

/** It keeps little: the bytes are in memory that both threads see. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 64 };

interface Expected {
  readonly resolve: (answer: FromChecksumThread) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Makes checksums in a thread of its own, which begins with the first bytes: the MD5 of a megabyte takes longer than all
 * else that the event loop has to do for it. When the thread dies, what it was at is lost, and the next body gets another.
 */
export class ThreadChecksums implements ChecksumMaker {
  #thread: ChecksumThread | undefined;
  #bodies = 0;
  #isClosed = false;

  begin(wanted: WantedChecksums, lengthBytes: number): BodyChecksums {
    const body = { id: this.#bodies++, wanted, lengthBytes };
    /** The one that has gone through the body so far. */
    let thread: ChecksumThread | undefined;
    let made: FromChecksumThread;
    return {
      update: async (bytes) => {
        thread ??= this.#running();
        made = await thread.ask({ kind: "bytes", body, bytes });
      },
      finish: () => must(made, "all bytes were taken"),
      drop: () => thread?.tell({ kind: "drop", body }),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.end();
  }

  #running(): ChecksumThread {
    if (this.#isClosed) {
      throw new Error("no more checksums are made");
    }
    if (this.#thread === undefined || this.#thread.hasEnded) {
      this.#thread = new ChecksumThread();
    }
    return this.#thread;
  }
}

/** One thread, from its start to its end. */
class ChecksumThread {
  readonly #worker = new Worker(new URL("./checksum-thread.js", import.meta.url), { resourceLimits });
  readonly #expected: Expected[] = [];
  #failure: Error | undefined;

  constructor() {
    this.#worker.on("message", (answer: FromChecksumThread) => this.#expected.shift()?.resolve(answer));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread for checksums has ended")));
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  /** @throws what the thread died of */
  ask(message: ToChecksumThread): Promise<FromChecksumThread> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#expected.push({ resolve, reject });
      this.tell(message);
    });
  }

  tell(message: ToChecksumThread): void {
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#expected.splice(0).forEach(({ reject }) => reject(error));
  }
}
