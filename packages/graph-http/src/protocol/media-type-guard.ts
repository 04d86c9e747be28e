import { type FastifyInstance } from "fastify";
import { type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { CORS_HEADERS } from "./exchange.ts";

/** An answer to headers that cannot be read. */
export interface MediaTypeRefusal {
  readonly status: 400;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Refuses what {@link mediaTypeRefusal} refuses before a body is read. Files are served whatever these headers say. */
export function registerMediaTypeGuard(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    const { headers } = request.raw;
    if (headers["content-type"]?.trim() === "") {
      // None at all, as far as the model server is concerned; the framework would refuse it.
      delete headers["content-type"];
    }
    const refusal = STATIC.test(request.url) ? undefined : mediaTypeRefusal(headers);
    return refusal === undefined
      ? undefined
      : reply.code(refusal.status).headers(refusal.headers).send(Buffer.from(refusal.body));
  });
}

/** What the model server says to a `Content-Type` or an `Accept` that is not spelt as one (graph-measured). */
export function mediaTypeRefusal(headers: IncomingHttpHeaders): MediaTypeRefusal | undefined {
  const { accept, "content-type": contentType } = headers;
  if (contentType !== undefined && !isUsual(contentType) && !CONTENT_TYPE.test(contentType)) {
    return { status: 400, headers: { "content-type": "text/html; charset=ISO-8859-1" }, body: "" };
  }
  if (accept !== undefined && !isUsual(accept) && !ACCEPT.test(accept)) {
    const body = `The HTTP header field "Accept" with value "${accept}" could not be parsed.`;
    return { status: 400, headers: { ...CORS_HEADERS, "content-type": "text/plain" }, body };
  }
  return undefined;
}

/** What nearly everybody sends need not be looked at. */
function isUsual(header: string): boolean {
  return header === "application/json" || header === "*/*";
}

const STATIC = /^\/(?:browser|webadmin)\//;

/** RFC 2616 §2.2, §3.7, §3.9; a range of one word alone is let through, as the libraries of the era sent `*`. */
const TOKEN = '[^\\s()<>@,;:\\\\"/[\\]?={}]+';
const PARAMETER = `(?!q=)${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
const QUALITY = "q=(?:0?\\.\\d{1,3}|0\\.?|1(?:\\.0{0,3})?)(?![^\\s,;])";
const RANGE = `\\s*${TOKEN}(?:/${TOKEN})?\\s*(?:;\\s*(?:(?:${QUALITY}|${PARAMETER})\\s*)?)*`;
const ACCEPT = new RegExp(`^(?:\\s*|${RANGE}(?:,${RANGE})*)$`, "i");
const CONTENT_TYPE = new RegExp(
  `^\\s*(?:${TOKEN}/${TOKEN}\\s*(?:;\\s*(?:${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")\\s*)?)*)?$`,
);
