import { type FastifyBaseLogger } from "fastify";
import { failureOf } from "../errors.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { CollectingSink, type TextSink } from "../protocol/text-sink.ts";
import { CONTENT_TYPES, formatRepresentation, type OutputFormat } from "./representation-format.ts";
import { type RestCall, type RestHandler } from "./rest-call.ts";
import { errorRepresentation, PlainError, RestError } from "./rest-error.ts";

/** What came of a call, ready to be written: over HTTP or into the answer of a batch. */
export interface RestOutcome {
  readonly status: number;
  readonly location?: string | undefined;
  readonly contentType?: string | undefined;
  /** A failure among streamed rows: the model server sends it without the headers for other origins (graph-measured). */
  readonly isLate?: boolean;
  /** An answer had begun when it failed: the headers for other origins were out. */
  readonly hasBegun?: boolean;
  /** Empty where there is nothing, and where HTTP shows a page. */
  readonly body: string;
}

export interface OutcomeOptions {
  readonly format: OutputFormat;
  readonly prefix: StatusCodePrefix;
  readonly log: FastifyBaseLogger;
  /** Where a streamed body goes; without it, into the outcome. */
  readonly openStream?: ((contentType: string) => TextSink) | undefined;
}

/** Runs an endpoint; whatever it throws becomes an outcome too. */
export async function perform(handle: RestHandler, call: RestCall, options: OutcomeOptions): Promise<RestOutcome> {
  try {
    const { status, location, representation, plain, stream } = await handle(call);
    if (stream !== undefined) {
      const sink = options.openStream?.(stream.contentType) ?? new CollectingSink();
      await stream.write(sink);
      const body = sink instanceof CollectingSink ? sink.text : "";
      return { status, location, contentType: stream.contentType, body };
    }
    if (plain !== undefined) {
      return { status, location, contentType: plain.contentType, body: plain.text };
    }
    return representation === undefined
      ? { status, location, body: "" }
      : {
          status,
          location,
          contentType: CONTENT_TYPES[options.format],
          body: formatRepresentation(representation, options.format, call.headers.accept),
        };
  } catch (error) {
    return failureOutcome(error, options);
  }
}

/** The answer to anything thrown by an endpoint. */
export function failureOutcome(error: unknown, { format, prefix, log }: OutcomeOptions): RestOutcome {
  if (error instanceof PlainError) {
    return { status: error.status, contentType: error.contentType, body: error.message };
  }
  const restError = error instanceof RestError ? error : asRestError(error, log);
  if (restError === undefined) {
    return { status: 500, body: "" };
  }
  const value = errorRepresentation(restError, prefix);
  return {
    status: restError.status,
    isLate: format === "stream" && isMetAmongRows(restError),
    contentType: CONTENT_TYPES[format],
    body: formatRepresentation({ type: "exception", shape: "error", value }, format, undefined),
  };
}

/** What wraps a failure among rows; that an entity is no more is told as it is. */
function isMetAmongRows({ status, chain: [first, second] }: RestError): boolean {
  return second === undefined
    ? status === 500 && first.exception === "NotFoundException"
    : second.exception === "QueryExecutionException" || second.exception === "RuntimeException";
}

/** Failures of the store (a deadlock, a constraint at commit) keep their code; our own mistakes say nothing. */
function asRestError(error: unknown, log: FastifyBaseLogger): RestError | undefined {
  const failure = failureOf(error);
  if (failure.unexpected !== undefined) {
    log.error({ err: failure.unexpected }, "a REST call failed unexpectedly");
    return undefined;
  }
  const { code, message } = failure;
  if (code === "DatabaseError.Transaction.CouldNotCommit") {
    const told = "Transaction was marked as successful, but unable to commit transaction so rolled back.";
    return new RestError(400, [{ exception: "TransactionFailureException", message: told }]);
  }
  if (code === "ClientError.Security.AuthorizationFailed") {
    return new RestError(403, [{ exception: "AuthorizationViolationException", message, code }]);
  }
  const status = code.startsWith("ClientError.Schema.") ? 409 : code.startsWith("ClientError") ? 400 : 500;
  const exception = status === 409 ? "ConstraintViolationException" : "TransactionFailureException";
  return new RestError(status, [{ exception, message, code }]);
}
