import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type IdentityServices } from "../services.ts";
import { CommonHeaders } from "./common-headers.ts";
import { createExchange, type Exchange, isGuid, namedByForm } from "./exchange.ts";
import { failureAnswer } from "./failure-answer.ts";
import { CLIENT_REQUEST_ID } from "./headers.ts";

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
  app.addHook("preHandler", (request, reply, done) => {
    takeCorrelationId(request, reply);
    done();
  });
  const common = new CommonHeaders(services.settings);
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(common.of(exchangeOf(request)));
    done();
  });
  app.setErrorHandler((thrown: FastifyError | Error, request, reply) => {
    const { errorWord } = request.routeOptions.config as ProtocolRouteConfig;
    const { headers, log } = request;
    const context = { exchange: exchangeOf(request), headers, log, nowMs: services.clock.now(), errorWord };
    const answer = failureAnswer(thrown, { ...context, style: services.settings });
    return reply.status(answer.status).headers(answer.headers).send(answer.body);
  });
}

const exchanges = new WeakMap<FastifyRequest, Exchange>();

/** The ids of a request: the same however often they are asked for. The header counts before the query. */
export function exchangeOf(request: FastifyRequest): Exchange {
  const known = exchanges.get(request);
  if (known !== undefined) {
    return known;
  }
  const { headers, id: requestId } = request;
  const query = (request.query as Record<string, unknown>)[CLIENT_REQUEST_ID];
  // An application of its own counts its requests, and no id of an answer is a count.
  const exchange = createExchange({ headers, requestId: isGuid(requestId) ? requestId : undefined, query });
  exchanges.set(request, exchange);
  return exchange;
}

/** Some clients name their id in the form alone. */
function takeCorrelationId(request: FastifyRequest, reply: FastifyReply): void {
  if (typeof request.body === "string") {
    const exchange = namedByForm(exchangeOf(request), request.body);
    exchanges.set(request, exchange);
    if (exchange.echoCorrelationId) {
      reply.header(CLIENT_REQUEST_ID, exchange.correlationId);
    }
  }
}
