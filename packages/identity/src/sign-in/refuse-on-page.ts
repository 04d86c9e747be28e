import { type FastifyReply, type FastifyRequest } from "fastify";
import { errorBody, errorStatus } from "../protocol/error-response.ts";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { errorPage } from "./pages.ts";

/** A refusal that no client may be told: on a page, or as JSON for who would rather have that. (reference §7.4) */
export function refuseOnPage(
  { clock, settings }: IdentityServices,
  request: FastifyRequest,
  reply: FastifyReply,
  error: IdentityError,
): FastifyReply {
  const exchange = exchangeOf(request);
  request.log.info({ traceId: exchange.traceId, codes: error.numbers, detail: error.detail }, "request refused");
  reply.header("vary", "Accept");
  if (prefersJson(request.headers.accept)) {
    const body = errorBody(error, exchange, clock.now(), settings);
    return reply.status(errorStatus(error)).headers(NEVER_CACHED).type(JSON_TYPE).send(JSON.stringify(body));
  }
  const { status, headers, html } = errorPage(error, exchange, clock.now(), settings);
  return reply.status(status).headers(headers).send(html);
}

/** Browsers name HTML; whoever names JSON first, or alone, is a program. (RFC 9110 §12.5.1) */
export function prefersJson(accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2);
    if (!weights.has(type)) {
      // Of equal weights the earlier one counts.
      weights.set(type, (weight === undefined ? 1 : Number(weight) || 0) - weights.size * EARLIER);
    }
  }
  const json = weights.get("application/json") ?? 0;
  return json > 0 && json > (weights.get("text/html") ?? 0);
}

const EARLIER = 1e-6;
