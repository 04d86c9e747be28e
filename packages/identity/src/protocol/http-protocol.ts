import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type IdentityServices } from "../services.ts";
import { errorBody, errorStatus } from "./error-response.ts";
import { createExchange, type Exchange, isGuid } from "./exchange.ts";
import { CLIENT_REQUEST_ID, EVERYWHERE, JSON_TYPE, NEVER_CACHED, REQUEST_ID } from "./headers.ts";
import { IdentityError } from "./identity-error.ts";
import { STRICT_TRANSPORT, StrictTransport } from "./strict-transport.ts";

/** Bodies of the token endpoints hold at most a form with an assertion and its certificate chain. */
export const FORM_LIMIT_BYTES = 131_072;

/** A route may say an error word of its own: metadata calls an unknown tenant `invalid_tenant`. */
interface ProtocolRouteConfig {
  readonly errorWord?: string;
}

/**
 * What all endpoints of the OAuth protocol share: ids of the exchange in headers, bodies as text whatever their type
 * claims (the endpoint judges it), and every failure in the interface's JSON shape.
 */
export function registerHttpProtocol(app: FastifyInstance, services: IdentityServices): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: FORM_LIMIT_BYTES }, (_request, body, done) => {
    done(null, body);
  });
  app.addHook("preHandler", (request, _reply, done) => {
    takeCorrelationId(request);
    done();
  });
  const transport = new StrictTransport();
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = exchangeOf(request);
    reply.headers(EVERYWHERE);
    if (transport.isStrict(services.settings.publicUrl)) {
      reply.header("strict-transport-security", STRICT_TRANSPORT);
    }
    reply.header(REQUEST_ID, exchange.traceId);
    if (exchange.echoCorrelationId) {
      reply.header(CLIENT_REQUEST_ID, exchange.correlationId);
    }
    done();
  });
  app.setErrorHandler((thrown: FastifyError | Error, request, reply) => {
    const error = asIdentityError(thrown);
    const status = isTooLong(thrown) ? 413 : errorStatus(error);
    const exchange = exchangeOf(request);
    const config = request.routeOptions.config as ProtocolRouteConfig;
    logFailure(request, error, thrown, exchange);
    const body = errorBody(error, exchange, services.clock.now(), services.settings, config.errorWord);
    challengeBasic(request, reply, status);
    if (status === 503) {
      reply.header("retry-after", "1");
    }
    return reply.status(status).headers(NEVER_CACHED).type(JSON_TYPE).send(JSON.stringify(body));
  });
}

const exchanges = new WeakMap<FastifyRequest, Exchange>();

/** The ids of a request: the same however often they are asked for. The header counts before the query. */
export function exchangeOf(request: FastifyRequest): Exchange {
  const known = exchanges.get(request);
  if (known !== undefined) {
    return known;
  }
  const query = request.query as Record<string, unknown>;
  const exchange = createExchange([request.headers[CLIENT_REQUEST_ID], query[CLIENT_REQUEST_ID]]);
  exchanges.set(request, exchange);
  return exchange;
}

const IN_A_FORM = new RegExp(`(?:^|&)${CLIENT_REQUEST_ID}=([0-9a-f-]{36})(?:&|$)`, "i");

/** Some clients name their id in the form alone. It counts for what goes wrong; headers are gone by then. */
function takeCorrelationId(request: FastifyRequest): void {
  const before = exchangeOf(request);
  const named = typeof request.body === "string" ? IN_A_FORM.exec(request.body)?.[1] : undefined;
  if (!before.echoCorrelationId && named !== undefined && isGuid(named)) {
    exchanges.set(request, { ...before, correlationId: named });
  }
}

/**
 * Only a client that tried Basic gets a challenge: others take the header for a different kind of error and never read
 * the body. (reference §8.1)
 */
function challengeBasic(request: FastifyRequest, reply: FastifyReply, status: number): void {
  if (status === 401 && /^basic /i.test(request.headers.authorization ?? "")) {
    reply.header("www-authenticate", 'Basic realm="token endpoint", charset="UTF-8"');
  }
}

/** What Fastify refuses by itself (too long, cut off) is malformed to us; anything else is our own fault. */
function asIdentityError(thrown: FastifyError | Error): IdentityError {
  if (thrown instanceof IdentityError) {
    return thrown;
  }
  const status = "statusCode" in thrown ? (thrown.statusCode ?? 500) : 500;
  return status < 500
    ? new IdentityError(9002313, { reason: isTooLong(thrown) ? "the body is too long" : "it cannot be read" })
    : new IdentityError(90090, {}, { cause: thrown });
}

function isTooLong(thrown: FastifyError | Error): boolean {
  return "statusCode" in thrown && thrown.statusCode === 413;
}

function logFailure(request: FastifyRequest, error: IdentityError, thrown: Error, exchange: Exchange): void {
  const ids = { traceId: exchange.traceId, correlationId: exchange.correlationId, codes: error.numbers };
  if (error.outermost === 90090) {
    request.log.error({ ...ids, err: thrown }, "request failed");
  } else {
    request.log.info({ ...ids, detail: error.detail }, "request refused");
  }
}
