import { type FastifyError } from "fastify";
import { type IncomingHttpHeaders } from "node:http";
import { type AnswerHeaders, type EndpointAnswer, type EndpointRequest } from "./endpoint.ts";
import { errorBody, errorStatus, type ErrorStyle } from "./error-response.ts";
import { type Exchange } from "./exchange.ts";
import { JSON_TYPE, NEVER_CACHED } from "./headers.ts";
import { IdentityError } from "./identity-error.ts";

/** What a failure is judged by. */
export interface FailureContext extends Pick<EndpointRequest, "exchange" | "headers" | "log"> {
  readonly nowMs: number;
  readonly style: ErrorStyle;
  readonly errorWord: string | undefined;
}

/** The answer to a request that failed, in the interface's JSON shape; what the caller isn't told goes to the log. */
export function failureAnswer(thrown: FastifyError | Error, context: FailureContext): Required<EndpointAnswer> {
  const { exchange, headers, nowMs, style, errorWord } = context;
  const error = asIdentityError(thrown);
  const status = isTooLong(thrown) ? 413 : errorStatus(error);
  logFailure(context.log, error, thrown, exchange);
  return {
    status,
    headers: {
      ...NEVER_CACHED,
      "content-type": JSON_TYPE,
      ...basicChallenge(headers, status),
      ...(status === 503 ? { "retry-after": "1" } : {}),
    },
    body: JSON.stringify(errorBody(error, exchange, nowMs, style, errorWord)),
  };
}

/** What is thrown for a body above the limit: as Fastify says it. */
export class BodyTooLongError extends Error {
  readonly statusCode = 413;
}

/**
 * Only a client that tried Basic gets a challenge: others take the header for a different kind of error and never read
 * the body. (reference §8.1)
 */
function basicChallenge({ authorization }: IncomingHttpHeaders, status: number): AnswerHeaders {
  return status === 401 && /^basic /i.test(authorization ?? "")
    ? { "www-authenticate": 'Basic realm="token endpoint", charset="UTF-8"' }
    : {};
}

/** What cannot be read (too long, cut off) is malformed to us; anything else is our own fault. */
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

function logFailure(log: FailureContext["log"], error: IdentityError, thrown: Error, exchange: Exchange): void {
  const ids = { traceId: exchange.traceId, correlationId: exchange.correlationId, codes: error.numbers };
  if (error.outermost === 90090) {
    log.error({ ...ids, err: thrown }, "request failed");
  } else {
    log.info({ ...ids, detail: error.detail }, "request refused");
  }
}
