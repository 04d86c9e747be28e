import { RequestError, RetryableError } from "@trefoil/base";
import { QueryError, type StatusCode } from "@trefoil/cypher";
import { isStatusCode } from "./status-codes.ts";

/** A request of this interface that cannot be served, told in the `errors` of the answer. */
export class GraphRequestError extends RequestError<StatusCode> {
  override readonly name = "GraphRequestError";
}

/** What a client is told about a failure. */
export interface Failure {
  readonly code: StatusCode;
  /** Null where the model server had none. */
  readonly message: string | null;
  /** The openCypher TCK's word, for programs that look closer. */
  readonly detail: string | undefined;
  /** Our own mistake: to be logged whole, since the client learns nothing of it. */
  readonly unexpected: unknown;
}

/**
 * The failure behind anything thrown. Errors with a status code of ours keep it; all others are our own mistakes and
 * give nothing away but that something went wrong.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof QueryError) {
    return { code: error.code, message: error.message, detail: error.tckDetail, unexpected: undefined };
  }
  if (error instanceof RequestError || error instanceof RetryableError || hasStatusCode(error)) {
    const code: unknown = error.code;
    if (typeof code === "string" && isStatusCode(code)) {
      const detail = "tckDetail" in error && typeof error.tckDetail === "string" ? error.tckDetail : undefined;
      return { code, message: error.message, detail, unexpected: undefined };
    }
  }
  return {
    code: "DatabaseError.General.UnknownFailure",
    message: "The server failed on this request; its log has the details.",
    detail: undefined,
    unexpected: error,
  };
}

/** Errors of the store that are neither the caller's fault nor retryable still say what became of the transaction. */
function hasStatusCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && isStatusCode(error.code);
}
