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
 * Makes checksums in a thread of its own, which begins with the first body: the MD5 of a megabyte takes longer than all
 * else that the event loop has to do for it.
 */
export class ThreadChecksums implements ChecksumMaker {
  #worker: Worker | undefined;
  readonly #expected: Expected[] = [];
  #bodies = 0;
  #failure: Error | undefined;

  begin(wanted: WantedChecksums, lengthBytes: number): BodyChecksums {
    const body = { id: this.#bodies++, wanted, lengthBytes };
    let made: FromChecksumThread;
    return {
      update: async (bytes) => {
        made = await this.#ask({ kind: "bytes", body, bytes });
      },
      finish: () => must(made, "all bytes were taken"),
      drop: () => this.#send({ kind: "drop", body }),
    };
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(message: ToChecksumThread): Promise<FromChecksumThread> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#expected.push({ resolve, reject });
      this.#send(message);
    });
  }

  #send(message: ToChecksumThread): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./checksum-thread.js", import.meta.url), { resourceLimits });
    worker.on("message", (answer: FromChecksumThread) => this.#expected.shift()?.resolve(answer));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the thread for checksums has ended")));
    return worker;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#expected.splice(0).forEach(({ reject }) => reject(error));
  }
}
