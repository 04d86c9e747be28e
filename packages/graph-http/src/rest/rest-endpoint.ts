import { type TokenTables, type Transaction } from "@trefoil/graph-store";
import { type OutgoingHttpHeaders } from "node:http";
import { failureOf } from "../errors.ts";
import { answer, answerNotFound, answerServerError, type Exchange } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import {
  CONTENT_TYPES,
  formatRepresentation,
  type OutputFormat,
  outputFormatOf,
  type Representation,
} from "./representation-format.ts";
import { type RestAnswer, type RestCall, type RestRoute } from "./rest-call.ts";
import { errorRepresentation, PlainError, RestError } from "./rest-error.ts";
import { UnitOfWork } from "./unit-of-work.ts";

export interface RestServices {
  readonly store: { begin(): Transaction; readonly tokens: TokenTables };
  readonly statusCodePrefix: StatusCodePrefix;
}

/** Serves REST endpoints over HTTP, each call in a transaction of its own (graph-http §7). */
export function restRoutes(routes: readonly RestRoute[], services: RestServices): readonly Route[] {
  return routes.map((route) => ({
    method: route.method,
    path: route.path,
    handle: (exchange) => serve(route, exchange, services),
  }));
}

async function serve(route: RestRoute, exchange: Exchange, services: RestServices): Promise<void> {
  const { headers } = exchange.request;
  const unit = new UnitOfWork(services.store.begin(), services.store.tokens);
  const format = outputFormatOf(headers);
  try {
    const call: RestCall = {
      parameters: exchange.parameters,
      query: queryOf(exchange.request.url),
      headers,
      body: exchange.body,
      baseUrl: exchange.baseUrl,
      unit,
    };
    const result = await route.handle(call);
    const body = bodyOf(result, format);
    if (result.status < 300) {
      await unit.commit();
    }
    answer(exchange, result.status, headersOf(result, format), body);
  } catch (error) {
    answerFailure(error, exchange, format, services.statusCodePrefix);
  } finally {
    unit.rollback();
  }
}

export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}

function bodyOf(result: RestAnswer, format: OutputFormat): string {
  if (result.plain !== undefined) {
    return result.plain.text;
  }
  return result.representation === undefined ? "" : formatRepresentation(result.representation, format);
}

function headersOf(result: RestAnswer, format: OutputFormat): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  if (result.plain !== undefined) {
    headers["content-type"] = result.plain.contentType;
  } else if (result.representation !== undefined) {
    headers["content-type"] = CONTENT_TYPES[format];
  }
  if (result.location !== undefined) {
    headers["location"] = result.location;
  }
  return headers;
}

/** The answer to anything thrown by a REST endpoint. */
export function answerFailure(
  error: unknown,
  exchange: Exchange,
  format: OutputFormat,
  prefix: StatusCodePrefix,
): void {
  if (error instanceof PlainError) {
    if (error.status === 404) {
      answerNotFound(exchange.reply);
      return;
    }
    const type = error.contentType === undefined ? {} : { "content-type": error.contentType };
    answer(exchange, error.status, type, error.message);
    return;
  }
  const restError = error instanceof RestError ? error : asRestError(error, exchange);
  if (restError === undefined) {
    answerServerError(exchange);
    return;
  }
  const representation: Representation = {
    type: "exception",
    shape: "error",
    value: errorRepresentation(restError, prefix),
  };
  answer(
    exchange,
    restError.status,
    { "content-type": CONTENT_TYPES[format] },
    formatRepresentation(representation, format),
  );
}

/** Failures of the store (a deadlock, a constraint at commit) keep their code; our own mistakes say nothing. */
function asRestError(error: unknown, exchange: Exchange): RestError | undefined {
  const failure = failureOf(error);
  if (failure.unexpected !== undefined) {
    exchange.request.log.error({ err: failure.unexpected }, "a REST call failed unexpectedly");
    return undefined;
  }
  const status = failure.code.startsWith("ClientError.Schema.")
    ? 409
    : failure.code.startsWith("ClientError")
      ? 400
      : 500;
  return new RestError(status, [
    {
      exception: status === 409 ? "ConstraintViolationException" : "TransactionFailureException",
      message: failure.message,
      code: failure.code,
    },
  ]);
}
