import { type DirectRoute, type DirectService, endTogether, type Logger, readWholeBody } from "@trefoil/http";
import { type IncomingMessage, type OutgoingHttpHeader, type ServerResponse } from "node:http";
import { type IdentityServices } from "../services.ts";
import { CommonHeaders } from "./common-headers.ts";
import { type Endpoint, type EndpointAnswer, type EndpointRequest } from "./endpoint.ts";
import { createExchange, type Exchange, namedByForm } from "./exchange.ts";
import { BodyTooLongError, failureAnswer } from "./failure-answer.ts";
import { FORM_LIMIT_BYTES } from "./http-protocol.ts";

/**
 * The endpoints that are asked all the time, past the router and its hooks, which cost more than most of them do
 * (decisions/0160). Only paths spelt exactly as documented and without a query come this way; what it answers is what
 * the router's way would have answered.
 */
export class DirectEndpoints implements DirectService {
  readonly #get: ReadonlyMap<string, DirectEndpoint>;
  readonly #post: ReadonlyMap<string, DirectEndpoint>;

  constructor(services: IdentityServices, endpoints: readonly Endpoint[], logger: Logger) {
    const routes = (method: "GET" | "POST"): Map<string, DirectEndpoint> =>
      new Map(
        endpoints
          .filter(({ methods }) => methods.includes(method))
          .map((endpoint) => [keyOf(endpoint), new DirectEndpoint(services, endpoint, method === "POST", logger)]),
      );
    this.#get = routes("GET");
    this.#post = routes("POST");
  }

  find({ method, url = "" }: IncomingMessage): DirectRoute | undefined {
    const routes = method === "POST" ? this.#post : method === "GET" ? this.#get : undefined;
    return TENANT.test(url) ? (routes?.get(url.slice(url.indexOf("/", 1))) ?? routes?.get(url)) : undefined;
  }
}

/** A tenant's GUID or domain as it needs no decoding, and as the router would take it. */
const TENANT = /^\/[\w.-]{1,400}\//;

/** What follows the tenant; the whole path of an endpoint without one. */
function keyOf({ path }: Endpoint): string {
  return path.startsWith("/:tenant/") ? path.slice(path.indexOf("/", 1)) : path;
}

class DirectEndpoint implements DirectRoute {
  readonly template: string;
  readonly #services: IdentityServices;
  readonly #endpoint: Endpoint;
  readonly #hasBody: boolean;
  readonly #logger: Logger;
  readonly #common: CommonHeaders;

  constructor(services: IdentityServices, endpoint: Endpoint, hasBody: boolean, logger: Logger) {
    this.template = endpoint.path;
    this.#services = services;
    this.#endpoint = endpoint;
    this.#hasBody = hasBody;
    this.#logger = logger;
    this.#common = new CommonHeaders(services.settings);
  }

  async serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const exchange = createExchange({ headers: request.headers, requestId });
    try {
      const body = this.#hasBody ? await readWholeBody(request, FORM_LIMIT_BYTES) : undefined;
      if (body !== "gone") {
        const call = new DirectCall(request, body, exchange, requestId, this.#logger);
        const more = this.#common.of(call.exchange);
        more["x-request-id"] = requestId;
        const answer = this.#answer(call, more);
        end(response, answer instanceof Promise ? await answer : answer, more);
      }
    } catch (error) {
      this.#logger.error({ err: error, requestId }, "a request could not be answered");
      response.destroy();
    }
  }

  #answer(call: DirectCall, more: Record<string, string>): EndpointAnswer | Promise<EndpointAnswer> {
    try {
      if (call.isTooLong) {
        more["connection"] = "close";
        throw new BodyTooLongError();
      }
      const answer = this.#endpoint.answer(call, more);
      return answer instanceof Promise ? answer.catch((thrown: unknown) => this.#refusal(call, thrown)) : answer;
    } catch (thrown) {
      return this.#refusal(call, thrown);
    }
  }

  #refusal({ exchange, headers, log }: DirectCall, thrown: unknown): EndpointAnswer {
    const { clock, settings } = this.#services;
    const error =
      thrown instanceof Error ? thrown : new Error("something was thrown that is no error", { cause: thrown });
    const context = { exchange, headers, log, nowMs: clock.now(), style: settings };
    return failureAnswer(error, { ...context, errorWord: this.#endpoint.errorWord });
  }
}

/** A request that no framework stands around. */
class DirectCall implements EndpointRequest {
  readonly body: string;
  readonly isTooLong: boolean;
  readonly exchange: Exchange;
  readonly #request: IncomingMessage;
  readonly #requestId: string;
  readonly #logger: Logger;

  constructor(
    request: IncomingMessage,
    body: Buffer | "too large" | undefined,
    exchange: Exchange,
    requestId: string,
    logger: Logger,
  ) {
    this.isTooLong = body === "too large";
    this.body = body instanceof Buffer ? body.toString("utf8") : "";
    this.exchange = namedByForm(exchange, this.body);
    this.#request = request;
    this.#requestId = requestId;
    this.#logger = logger;
  }

  get tenantSegment(): string {
    const { url = "" } = this.#request;
    return url.slice(1, url.indexOf("/", 1));
  }

  get headers(): IncomingMessage["headers"] {
    return this.#request.headers;
  }

  get ipAddress(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  /** Made when something is said: most requests go without. */
  get log(): EndpointRequest["log"] {
    return this.#logger.child({ requestId: this.#requestId });
  }
}

/** The head as a list: as an object it costs a quarter of a short answer. */
function end(response: ServerResponse, answer: EndpointAnswer, more: Readonly<Record<string, string>>): void {
  const { status = 200, headers, body } = answer;
  const isText = typeof body === "string";
  const bytes = isText ? Buffer.byteLength(body) : body.length;
  const head: OutgoingHttpHeader[] = ["content-length", bytes];
  for (const name in more) {
    if (!(name in headers)) {
      head.push(name, more[name] ?? "");
    }
  }
  for (const name in headers) {
    head.push(name, headers[name] ?? "");
  }
  // As many bytes as characters: all ASCII, which leaves without being encoded.
  endTogether(response.writeHead(status, head), body, isText && bytes === body.length ? "latin1" : "utf8");
}
