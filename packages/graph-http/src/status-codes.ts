import { type StatusCode } from "@trefoil/cypher";

/** Which word a status code begins with on the wire (`graph.status_code_prefix`). */
export type StatusCodePrefix = "Graph" | "Neo";

/** What a class of errors means: what becomes of the transaction, and whether the answer carries a stack trace. */
export const CLASSIFICATIONS: Readonly<Record<string, { readonly meaning: string; readonly withStackTrace: boolean }>> =
  {
    ClientError: { meaning: "The request was wrong; trying it again unchanged cannot work.", withStackTrace: false },
    TransientError: { meaning: "Nobody's fault; trying again can work.", withStackTrace: true },
    DatabaseError: { meaning: "The server failed.", withStackTrace: true },
  };

/** Every status code of the interface without its first word, by class and category (graph-http §11). */
export const STATUS_CODES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ClientError: {
    Request: ["Invalid", "InvalidFormat"],
    Transaction: [
      "UnknownId",
      "ConcurrentRequest",
      "InvalidType",
      "EventHandlerThrewException",
      "ValidationFailed",
      "HookFailed",
      "MarkedAsFailed",
    ],
    Statement: [
      "InvalidSyntax",
      "InvalidSemantics",
      "ParameterMissing",
      "ConstraintViolation",
      "EntityNotFound",
      "NoSuchProperty",
      "NoSuchLabel",
      "InvalidType",
      "InvalidArguments",
      "ArithmeticError",
    ],
    Schema: [
      "ConstraintViolation",
      "NoSuchIndex",
      "NoSuchConstraint",
      "ConstraintAlreadyExists",
      "IndexAlreadyExists",
      "ConstraintVerificationFailure",
      "IllegalTokenName",
      "IndexBelongsToConstraint",
      "LabelLimitReached",
      "IndexLimitReached",
    ],
    LegacyIndex: ["NoSuchIndex"],
    Procedure: ["ProcedureNotFound", "ProcedureCallFailed"],
    Security: ["AuthenticationFailed", "AuthorizationFailed", "AuthenticationRateLimit"],
    General: ["ReadOnly"],
  },
  TransientError: {
    Network: ["UnknownFailure"],
    Transaction: [
      "AcquireLockTimeout",
      "DeadlockDetected",
      "ConstraintsChanged",
      "Outdated",
      "LockClientStopped",
      "Terminated",
    ],
    Statement: ["ExternalResourceFailure"],
    Schema: ["ModifiedConcurrently"],
    Security: ["ModifiedConcurrently"],
    General: ["DatabaseUnavailable", "OutOfMemoryError"],
  },
  DatabaseError: {
    Transaction: ["CouldNotBegin", "CouldNotRollback", "CouldNotCommit", "CouldNotWriteToLog", "ReleaseLocksFailed"],
    Statement: ["ExecutionFailure"],
    Schema: [
      "IndexCreationFailure",
      "IndexDropFailure",
      "ConstraintCreationFailure",
      "ConstraintDropFailure",
      "NoSuchLabel",
      "NoSuchPropertyKey",
      "NoSuchRelationshipType",
      "NoSuchSchemaRule",
      "DuplicateSchemaRule",
    ],
    General: ["FailedIndex", "UnknownFailure", "CorruptSchemaRule"],
  },
};

/** Whether `code` (without its first word) is one of {@link STATUS_CODES}. */
export function isStatusCode(code: string): code is StatusCode {
  const [classification = "", category = "", title = ""] = code.split(".");
  return STATUS_CODES[classification]?.[category]?.includes(title) ?? false;
}

/** Whether answers with this code carry a stack trace: every class but ClientError does. */
export function hasStackTrace(code: StatusCode): boolean {
  return CLASSIFICATIONS[code.slice(0, code.indexOf("."))]?.withStackTrace ?? true;
}
