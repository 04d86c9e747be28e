import { type TokenTables, type Transaction } from "@trefoil/graph-store";
import { type OutgoingHttpHeaders } from "node:http";
import { restrictedTransaction } from "../authentication/restricted-transaction.ts";
import { GraphRequestError } from "../errors.ts";
import { answer, answerNotFound, answerServerError, CORS_HEADERS, type Exchange } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { outputFormatOf } from "./representation-format.ts";
import { type RestRoute } from "./rest-call.ts";
import { failureOutcome, type OutcomeOptions, perform, type RestOutcome } from "./rest-outcome.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
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
  const { request, parameters, body, baseUrl } = exchange;
  const { headers } = request;
  let stream: StreamedAnswer | undefined;
  const options: OutcomeOptions = {
    openStream: (contentType) => (stream = new StreamedAnswer(exchange, contentType)),
    format: outputFormatOf(headers),
    prefix: services.statusCodePrefix,
    log: request.log,
  };
  const { tokens } = services.store;
  const account = request.graphAccount;
  const begin = (): Transaction => {
    const begun = services.store.begin();
    return account === undefined ? begun : restrictedTransaction(begun, account.role, tokens);
  };
  const unit = new UnitOfWork(begin, tokens);
  const interruption = new AbortController();
  const abandon = (): void => {
    const reason = new GraphRequestError("TransientError.Transaction.Terminated", "The client has gone.");
    interruption.abort(reason);
    unit.transaction.terminate(reason);
  };
  exchange.reply.raw.once("close", abandon);
  try {
    const call = { parameters, query: queryOf(request.url), headers, body, baseUrl, unit, signal: interruption.signal };
    let outcome = await perform(route.handle, call, options);
    if (outcome.status < 300) {
      try {
        await unit.commit();
      } catch (error) {
        // A stream has begun by then, so there is nothing left to say it with (golden, legacy-cypher).
        outcome =
          options.format === "stream" ? { status: 500, body: "", hasBegun: true } : failureOutcome(error, options);
      }
    }
    if (stream === undefined || (outcome.status >= 300 && !stream.hasBegun)) {
      answerOutcome(exchange, outcome);
    } else if (outcome.status < 300) {
      stream.end(outcome.status, outcome.location === undefined ? {} : { location: outcome.location });
    } else {
      stream.breakOff();
    }
  } finally {
    exchange.reply.raw.off("close", abandon);
    unit.rollback();
  }
}

function answerOutcome(exchange: Exchange, outcome: RestOutcome): void {
  const { status, location, contentType, body } = outcome;
  if (body === "" && status === 404) {
    answerNotFound(exchange.reply);
  } else if (body === "" && status === 500) {
    answerServerError(exchange.reply, outcome.hasBegun === true ? CORS_HEADERS : {});
  } else if (outcome.isLate === true) {
    void exchange.reply.code(status).header("content-type", contentType).send(Buffer.from(body));
  } else {
    const headers: OutgoingHttpHeaders = {
      ...(contentType === undefined ? {} : { "content-type": contentType }),
      ...(location === undefined ? {} : { location }),
    };
    answer(exchange, status, headers, body);
  }
}

export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}
