import { type OutgoingHttpHeaders } from "node:http";
import { CORS_HEADERS, type Exchange } from "../protocol/exchange.ts";
import { AnswerSink } from "./answer-sink.ts";

/** Takes the answer of an exchange over from Fastify, to be written as it is made. */
export function sinkFor(exchange: Exchange, status: number, headers: OutgoingHttpHeaders): AnswerSink {
  const { reply } = exchange;
  const all: OutgoingHttpHeaders = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...CORS_HEADERS, ...headers };
  const list = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const sink = new AnswerSink(reply.raw, status, list.flat(1));
  reply.hijack();
  // For the access log and the metrics, which read it before the head is written.
  reply.raw.statusCode = status;
  return sink;
}
