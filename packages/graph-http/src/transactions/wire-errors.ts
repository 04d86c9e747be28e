import { hasStackTrace, type StatusCodePrefix } from "../status-codes.ts";
import { type Failure } from "../errors.ts";
import { type JsonValue } from "../json/json-reader.ts";

/**
 * A failure as an element of `errors`. Everything but client errors carries a stack trace, of which clients read the
 * first line, `<class>: <message>`; ours has only that line, since traces would tell how the server is built.
 *
 * @source graph §2, graph-http §4.3 (errors)
 */
export function wireError(failure: Failure, prefix: StatusCodePrefix): ReadonlyMap<string, JsonValue> {
  const error = new Map<string, JsonValue>([
    ["code", `${prefix}.${failure.code}`],
    ["message", failure.message],
  ]);
  if (failure.detail !== undefined) {
    error.set("detail", failure.detail);
  }
  if (hasStackTrace(failure.code)) {
    error.set("stackTrace", stackTraceOf(failure));
  }
  return error;
}

function stackTraceOf({ code, message }: Failure): string {
  const className =
    message?.endsWith("(of class scala.Tuple2)") === true
      ? "scala.MatchError"
      : code.startsWith("TransientError.Transaction.DeadlockDetected")
        ? "org.neo4j.kernel.DeadlockDetectedException"
        : code.startsWith("DatabaseError.Transaction.")
          ? "org.neo4j.graphdb.TransactionFailureException"
          : "java.lang.RuntimeException";
  return message === null ? className : `${className}: ${message}`;
}
