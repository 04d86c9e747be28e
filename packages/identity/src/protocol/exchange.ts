import { randomUUID } from "node:crypto";
import { type IncomingHttpHeaders } from "node:http";
import { CLIENT_REQUEST_ID, RETURN_CLIENT_REQUEST_ID } from "./headers.ts";

/** What identifies one request and its answer in bodies, headers and logs. (reference §2.1, §8.1) */
export interface Exchange {
  /** Made by us for every request: `trace_id`, header `x-ms-request-id`. */
  readonly traceId: string;
  /** The caller's `client-request-id` when it is a GUID, else made by us. */
  readonly correlationId: string;
  /** Whether header or query named it, so that a form no longer does. */
  readonly isNamed: boolean;
  /** Whether it is returned in a header: header or query named it, or `return-client-request-id` asks for whichever. */
  readonly echoCorrelationId: boolean;
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(text: string): boolean {
  return GUID.test(text);
}

/** Where the ids of an exchange come from. */
export interface ExchangeSource {
  readonly headers: IncomingHttpHeaders;
  /** By which the access log knows the request: a GUID made by us, which is the trace id as well, or the caller's own. */
  readonly requestId?: string | undefined;
  /** What the query names as `client-request-id`; the header counts before it. */
  readonly query?: unknown;
}

/** Anything named that isn't a GUID is passed over, since it ends in a header and in logs. */
export function createExchange({ headers, requestId, query }: ExchangeSource): Exchange {
  const named = guidOf(headers[CLIENT_REQUEST_ID]) ?? guidOf(query);
  const isEchoAsked = headers[RETURN_CLIENT_REQUEST_ID];
  const isOurs = requestId !== undefined && requestId !== headers["x-request-id"];
  const traceId = isOurs ? requestId : randomUUID();
  const isNamed = named !== undefined;
  const isEchoed = isNamed || (isEchoAsked !== undefined && /^true$/i.test(String(isEchoAsked)));
  return new RequestExchange(traceId, named, isNamed, isEchoed);
}

class RequestExchange implements Exchange {
  readonly traceId: string;
  readonly isNamed: boolean;
  readonly echoCorrelationId: boolean;
  #correlationId: string | undefined;

  constructor(traceId: string, correlationId: string | undefined, isNamed: boolean, echoCorrelationId: boolean) {
    this.traceId = traceId;
    this.#correlationId = correlationId;
    this.isNamed = isNamed;
    this.echoCorrelationId = echoCorrelationId;
  }

  /** Made when it is asked for: most answers don't tell it. */
  get correlationId(): string {
    return (this.#correlationId ??= randomUUID());
  }
}

function guidOf(value: unknown): string | undefined {
  return typeof value === "string" && isGuid(value) ? value : undefined;
}

const IN_A_FORM = new RegExp(`(?:^|&)${CLIENT_REQUEST_ID}=([0-9a-f-]{36})(?:&|$)`, "i");

/** The exchange with the correlation id that a form names, unless header or query named one before. */
export function namedByForm(exchange: Exchange, body: string): Exchange {
  const named = exchange.isNamed ? undefined : IN_A_FORM.exec(body)?.[1];
  return named !== undefined && isGuid(named)
    ? new RequestExchange(exchange.traceId, named, exchange.isNamed, exchange.echoCorrelationId)
    : exchange;
}
