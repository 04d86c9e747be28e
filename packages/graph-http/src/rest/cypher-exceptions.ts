import { QueryError, type StatusCode } from "@trefoil/cypher";
import { DeletedEntityError } from "../formats/deleted-entity-error.ts";
import { failureOf } from "../errors.ts";
import { type ExceptionName } from "./exceptions.ts";
import { type ExceptionLink, PlainError, RestError } from "./rest-error.ts";

/**
 * A statement's failure as the legacy endpoint tells it: by the exception of the language at once when the statement was
 * not run or could not be, wrapped as bad input when it failed while rows were fetched.
 *
 * @param isAmongRows  it was met while rows were fetched
 * @param isStreamed   the client asked for a stream, in which an entity that is no more is told later
 * @source graph-http §5, graph-measured (/cypher)
 * @returns undefined for what is no failure of a statement but our own mistake
 */
export function statementError(
  error: unknown,
  isAmongRows: boolean,
  isStreamed: boolean,
): RestError | PlainError | undefined {
  if (error instanceof RestError || error instanceof PlainError) {
    return error;
  }
  if (error instanceof DeletedEntityError) {
    return new RestError(isStreamed ? 500 : 400, [{ exception: "NotFoundException", message: error.message }]);
  }
  const failure = failureOf(error);
  if (failure.unexpected !== undefined) {
    return undefined;
  }
  const { code, message } = failure;
  const exception = exceptionOf(code, message);
  const isRuntime = error instanceof QueryError && error.phase === "runtime";
  if (code === "DatabaseError.Statement.ExecutionFailure") {
    // An empty statement is refused by the model server's parser before its error handling begins; everything else
    // under this code is a failure of its runtime while rows are fetched (graph-measured).
    return isRuntime
      ? new RestError(400, [
          { exception: "BadInputException", message },
          { exception: "RuntimeException", message },
        ])
      : new RestError(400, [{ exception: "FrontendSyntaxException", message }]);
  }
  if (exception === undefined) {
    return new RestError(400, [{ exception: "TransactionFailureException", message, code }]);
  }
  if (!isRuntime) {
    return new RestError(400, [{ exception, message, code }, ...languageCause(exception, message)]);
  }
  const met = code === "ClientError.Statement.InvalidSyntax" ? "IncomparableValuesException" : exception;
  return isAmongRows
    ? new RestError(400, [
        { exception: "BadInputException", message },
        { exception: "QueryExecutionException", message, code },
        { exception: met, message, code },
      ])
    : new RestError(400, [{ exception: met, message, code }, ...languageCause(met, message)]);
}

function exceptionOf(code: StatusCode, message: string | null): ExceptionName | undefined {
  const [, byMessage] = EXCEPTION_OF_MESSAGE.find(([beginning]) => message?.startsWith(beginning)) ?? [];
  const byCode = EXCEPTION_OF_CODE[code];
  return byMessage ?? byCode ?? (code.includes(".Schema.") ? "CypherExecutionException" : undefined);
}

/** Exceptions that share a code with others, by how their message begins. */
const EXCEPTION_OF_MESSAGE: readonly (readonly [beginning: string, exception: ExceptionName])[] = [
  ["Executing queries that use periodic commit", "PeriodicCommitInOpenTransactionException"],
  ["Unable to load ", "CypherExecutionException"],
  ["The pattern ", "UniquePathNotUniqueException"],
  ["Unbound pattern!", "PatternException"],
  ["This pattern is not supported for CREATE UNIQUE", "PatternException"],
];

const EXCEPTION_OF_CODE: Readonly<Partial<Record<StatusCode, ExceptionName>>> = {
  "ClientError.Statement.InvalidSyntax": "SyntaxException",
  "ClientError.Statement.InvalidSemantics": "InvalidSemanticsException",
  "ClientError.Statement.InvalidType": "CypherTypeException",
  "ClientError.Statement.InvalidArguments": "InvalidArgumentException",
  "ClientError.Statement.ParameterMissing": "ParameterNotFoundException",
  "ClientError.Statement.EntityNotFound": "EntityNotFoundException",
  "ClientError.Statement.ArithmeticError": "ArithmeticException",
  "ClientError.Statement.ConstraintViolation": "MergeConstraintConflictException",
  "TransientError.Statement.ExternalResourceFailure": "LoadExternalResourceException",
  "ClientError.Schema.NoSuchIndex": "MissingIndexException",
  "ClientError.Security.AuthorizationFailed": "AuthorizationViolationException",
};

/** Some show what their language's own part met: syntax errors the parser's message, without the statement's text. */
function languageCause(exception: ExceptionName, message: string | null): ExceptionLink[] {
  if (exception === "UniquePathNotUniqueException") {
    return [{ exception: "FrontendUniquePathNotUniqueException", message: null }];
  }
  return exception === "SyntaxException"
    ? [{ exception, message: message?.split("\n")[0] ?? null, code: "DatabaseError.General.UnknownFailure" }]
    : [];
}
