import { endTogether } from "@trefoil/http";
import { type OutgoingHttpHeader, type ServerResponse } from "node:http";
import { type TextSink } from "../protocol/text-sink.ts";

/**
 * Where the text of an answer goes. A short answer leaves in one piece with its length; a long one leaves in chunks as
 * it grows, no faster than the client reads, so that an answer of any length takes bounded memory.
 */
export class AnswerSink implements TextSink {
  readonly #response: ServerResponse;
  readonly #status: number;
  readonly #headers: OutgoingHttpHeader[];
  #pending = "";

  /** @param headers  names and values in turn: objects that are put together take longer than all else about a head */
  constructor(response: ServerResponse, status: number, headers: OutgoingHttpHeader[]) {
    this.#response = response;
    this.#status = status;
    this.#headers = headers;
  }

  write(text: string): boolean {
    this.#pending += text;
    return this.#pending.length >= CHUNK_LENGTH;
  }

  /** Sends what was written; resolves when the client has taken enough of it, or has gone. */
  async drain(): Promise<void> {
    const response = this.#response;
    if (response.destroyed) {
      this.#take();
      return;
    }
    if (!response.headersSent) {
      response.writeHead(this.#status, this.#headers);
    }
    if (!response.write(this.#take())) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          response.off("drain", done);
          response.off("close", done);
          resolve();
        };
        response.on("drain", done);
        response.on("close", done);
      });
    }
  }

  /** Sends the rest and ends the answer. */
  end(): void {
    const response = this.#response;
    if (response.destroyed) {
      return;
    }
    // As text: it leaves together with the head, in one call of the system.
    const rest = this.#take();
    if (!response.headersSent) {
      this.#headers.push("content-length", Buffer.byteLength(rest));
      response.writeHead(this.#status, this.#headers);
    }
    endTogether(response, rest);
  }

  #take(): string {
    const text = this.#pending;
    this.#pending = "";
    return text;
  }
}

/** Code units of one chunk: large enough to make system calls rare, small beside what a statement itself needs. */
const CHUNK_LENGTH = 64 * 1024;
