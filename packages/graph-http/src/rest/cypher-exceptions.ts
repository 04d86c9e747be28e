import { QueryError, type StatusCode } from "@trefoil/cypher";
import { DeletedEntityError } from "../formats/deleted-entity-error.ts";
import { failureOf } from "../errors.ts";
import { type ExceptionName } from "./exceptions.ts";
import { type ExceptionLink, PlainError, RestError } from "./rest-error.ts";

/**
 * A statement's failure as the legacy endpoint tells it: by the exception of the language at once when the statement was
 * not run or could not be, wrapped as bad input when it failed while rows were fetched.
 *
 * @param isAmongRows  it was met while rows were fetched; a wrong type is told otherwise then
 * @source graph-http §5, graph-measured (/cypher)
 * @returns undefined for what is no failure of a statement but our own mistake
 */
export function statementError(error: unknown, isAmongRows: boolean): RestError | PlainError | undefined {
  if (error instanceof RestError || error instanceof PlainError) {
    return error;
  }
  if (error instanceof DeletedEntityError) {
    return new RestError(400, [{ exception: "NotFoundException", message: error.message }]);
  }
  const failure = failureOf(error);
  if (failure.unexpected !== undefined) {
    return undefined;
  }
  const { code, message } = failure;
  const exception =
    message?.startsWith(PERIODIC_COMMIT) === true
      ? "PeriodicCommitInOpenTransactionException"
      : (EXCEPTION_OF_CODE[code] ?? (code.includes(".Schema.") ? "CypherExecutionException" : undefined));
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
  if (code === "ClientError.Statement.InvalidSyntax") {
    return new RestError(400, [{ exception: "IncomparableValuesException", message }]);
  }
  if (!FETCH_FAILURES.has(exception) && !(isAmongRows && exception === "CypherTypeException")) {
    return new RestError(400, [{ exception, message, code }]);
  }
  return new RestError(400, [
    { exception: "BadInputException", message },
    { exception: "QueryExecutionException", message, code },
    { exception, message, code },
  ]);
}

const EXCEPTION_OF_CODE: Readonly<Partial<Record<StatusCode, ExceptionName>>> = {
  "ClientError.Statement.InvalidSyntax": "SyntaxException",
  "ClientError.Statement.InvalidSemantics": "InvalidSemanticsException",
  "ClientError.Statement.InvalidType": "CypherTypeException",
  "ClientError.Statement.InvalidArguments": "InvalidArgumentException",
  "ClientError.Statement.ParameterMissing": "ParameterNotFoundException",
  "ClientError.Statement.EntityNotFound": "EntityNotFoundException",
  "ClientError.Statement.ArithmeticError": "ArithmeticException",
  "ClientError.Statement.ConstraintViolation": "MergeConstraintConflictException",
  "ClientError.Schema.NoSuchIndex": "MissingIndexException",
  "ClientError.Security.AuthorizationFailed": "AuthorizationViolationException",
};

/** How the message begins that refuses `USING PERIODIC COMMIT` where a transaction is open already. */
const PERIODIC_COMMIT = "Executing queries that use periodic commit";

/** These are met while rows are fetched; the others while the statement starts. */
const FETCH_FAILURES: ReadonlySet<ExceptionName> = new Set([
  "ArithmeticException",
  "EntityNotFoundException",
  "ParameterNotFoundException",
  "InvalidArgumentException",
]);

/** Syntax errors show the parser's message, without the text of the statement, as their cause. */
function languageCause(exception: ExceptionName, message: string | null): ExceptionLink[] {
  return exception === "SyntaxException"
    ? [{ exception, message: message?.split("\n")[0] ?? null, code: "DatabaseError.General.UnknownFailure" }]
    : [];
}
