import { type OutgoingHttpHeaders } from "node:http";
import { type Exchange } from "../protocol/exchange.ts";
import { type TextSink } from "../protocol/text-sink.ts";
import { type AnswerSink } from "../transactions/answer-sink.ts";
import { sinkFor } from "../transactions/sink-for.ts";

/**
 * The body of a streamed REST answer. Until the first full chunk nothing has left, so that a failure can still become an
 * answer of its own; from then on memory is bounded by what the client has not read yet.
 */
export class StreamedAnswer implements TextSink {
  readonly #exchange: Exchange;
  readonly #contentType: string;
  #pending: string[] = [];
  #pendingLength = 0;
  #sink: AnswerSink | undefined;

  constructor(exchange: Exchange, contentType: string) {
    this.#exchange = exchange;
    this.#contentType = contentType;
  }

  /** Whether a part is with the client already. */
  get hasBegun(): boolean {
    return this.#sink !== undefined;
  }

  write(text: string): boolean {
    if (this.#sink !== undefined) {
      return this.#sink.write(text);
    }
    this.#pending.push(text);
    this.#pendingLength += text.length;
    return this.#pendingLength >= FIRST_CHUNK_LENGTH;
  }

  async drain(): Promise<void> {
    await this.#open(200, {}).drain();
  }

  /** Sends the rest. */
  end(status: number, headers: OutgoingHttpHeaders): void {
    this.#open(status, headers).end();
  }

  /** Ends an answer that cannot be completed so that its client notices: the connection breaks. */
  breakOff(): void {
    this.#exchange.reply.raw.destroy();
  }

  #open(status: number, headers: OutgoingHttpHeaders): AnswerSink {
    if (this.#sink === undefined) {
      this.#sink = sinkFor(this.#exchange, status, { "content-type": this.#contentType, ...headers });
      this.#sink.write(this.#pending.join(""));
      this.#pending = [];
    }
    return this.#sink;
  }
}

/** Code units. */
const FIRST_CHUNK_LENGTH = 64 * 1024;
