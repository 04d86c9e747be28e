import { type FastifyBaseLogger } from "fastify";
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { type Account } from "../authentication/account-store.ts";
import { answer, type Exchange } from "../protocol/exchange.ts";
import { type AnswerSink } from "./answer-sink.ts";
import { sinkFor } from "./sink-for.ts";

/** A request with statements, whichever way it came in. */
export interface StatementCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** `scheme://host[:port]` for every URL in the answer. */
  readonly baseUrl: string;
  /** Undefined while authentication is off. */
  readonly account: Account | undefined;
  readonly response: ServerResponse;
  readonly log: Pick<FastifyBaseLogger, "error">;
  /** Answers in one piece. */
  answer(status: number, headers: OutgoingHttpHeaders, body?: string): void;
  /** Begins an answer in JSON that is written while it is made. @param location  of what the request has made */
  openSink(status: number, location?: string): AnswerSink;
}

export function statementCallOf(exchange: Exchange): StatementCall {
  const { request, reply, body, baseUrl } = exchange;
  return {
    headers: request.headers,
    body,
    baseUrl,
    account: request.graphAccount,
    response: reply.raw,
    log: request.log,
    answer: (status, headers, text) => answer(exchange, status, headers, text),
    openSink: (status, location) =>
      sinkFor(exchange, status, {
        "content-type": "application/json",
        ...(location === undefined ? {} : { location }),
      }),
  };
}
