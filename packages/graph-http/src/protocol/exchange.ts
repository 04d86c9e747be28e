import { type FastifyReply, type FastifyRequest } from "fastify";
import { type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { baseUrlOf } from "./base-url.ts";
import { stringText } from "../json/string-text.ts";

/** One request with the whole of its body, and where its answer goes. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Empty when there was none. */
  readonly body: Buffer;
  /** `scheme://host[:port]` for every URL in the answer. */
  readonly baseUrl: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What `/db/data` answers allow any page to read; who asks must know the password anyway (graph-http §1). */
export const CORS_HEADERS: Readonly<Record<string, string>> = { "access-control-allow-origin": "*" };

export function createExchange(request: FastifyRequest, reply: FastifyReply, body: Buffer): Exchange {
  return {
    request,
    reply,
    body,
    baseUrl: baseUrlOfRequest(request),
    parameters: request.params as Exchange["parameters"],
  };
}

export function baseUrlOfRequest(request: FastifyRequest): string {
  return baseUrlOfMessage(request.raw);
}

export function baseUrlOfMessage({ headers, socket }: IncomingMessage): string {
  return baseUrlOf({
    headers,
    encrypted: "encrypted" in socket && socket.encrypted === true,
    localAddress: socket.localAddress ?? "127.0.0.1",
    localPort: socket.localPort ?? 80,
  });
}

/** Answers in one piece. */
export function answer(exchange: Exchange, status: number, headers: OutgoingHttpHeaders, body: string = ""): void {
  // As bytes: Fastify would add a character set to the type of a text, which clients of this interface compare.
  const bytes = body.length === 0 ? undefined : Buffer.from(body);
  void exchange.reply
    .code(status)
    .headers({ ...CORS_HEADERS, ...headers })
    .send(bytes);
}

/** The page of everything that is not found (graph §7). */
export function answerNotFound(reply: FastifyReply): void {
  const isStatic = /^\/(?:browser|webadmin)(?:\/|$)/.test(reply.request.url);
  void reply
    .code(404)
    .headers({ ...(isStatic ? {} : CORS_HEADERS), ...ERROR_PAGE_HEADERS })
    .send(NOT_FOUND_PAGE);
}

/** An internal error: nothing is told, and nothing was told by the model server either (graph-measured). */
export function answerServerError(reply: FastifyReply, more: OutgoingHttpHeaders = {}): void {
  void reply
    .code(500)
    .headers({ ...more, ...ERROR_PAGE_HEADERS, "content-type": "text/html; charset=ISO-8859-1" })
    .send();
}

/** A security refusal or another early error: one error object, readable by every client. */
export function errorsBody(code: string, message: string, more: Readonly<Record<string, string>> = {}): string {
  const members = Object.entries(more).map(([name, value]) => `,\n  ${stringText(name)} : ${stringText(value)}`);
  return `{\n  "errors" : [ {\n    "code" : ${stringText(code)},\n    "message" : ${stringText(message)}\n  } ]${members.join("")}\n}`;
}

export const JSON_TYPE = "application/json; charset=UTF-8";

const ERROR_PAGE_HEADERS: OutgoingHttpHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "must-revalidate,no-cache,no-store",
};

const NOT_FOUND_PAGE = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Error 404 Not Found</title></head>
<body><h1>404 Not Found</h1></body>
</html>
`;
