import { CorruptionError, type ErrorOptionsWithDetail, RequestError, RetryableError } from "@trefoil/base";

/** Status codes of the graph wire without their first word (`Graph.` or `Neo.`, which is a setting). */
export type StoreErrorCode =
  | "ClientError.Schema.ConstraintViolation"
  | "ClientError.Transaction.InvalidType"
  | "ClientError.Statement.EntityNotFound"
  | "ClientError.Statement.InvalidArguments"
  | "ClientError.Statement.ConstraintViolation"
  | "ClientError.Schema.ConstraintAlreadyExists"
  | "ClientError.Schema.IllegalTokenName"
  | "ClientError.Schema.IndexAlreadyExists"
  | "ClientError.Schema.IndexBelongsToConstraint"
  | "ClientError.Schema.NoSuchConstraint"
  | "ClientError.Schema.NoSuchIndex"
  | "DatabaseError.Schema.ConstraintCreationFailure"
  | "DatabaseError.Transaction.CouldNotCommit"
  | "DatabaseError.Transaction.CouldNotBegin"
  | "DatabaseError.Transaction.CouldNotWriteToLog"
  | "DatabaseError.General.UnknownFailure";

export type StoreRetryCode =
  | "TransientError.Transaction.DeadlockDetected"
  | "TransientError.Transaction.AcquireLockTimeout"
  | "TransientError.Transaction.Outdated"
  | "TransientError.General.DatabaseUnavailable"
  | "TransientError.General.OutOfMemoryError";

/** What a statement asked for cannot be done; the transaction is to be rolled back. */
export class StoreError extends RequestError<StoreErrorCode> {
  override readonly name = "StoreError";
  /** The openCypher TCK's word for it, sent as `detail` beside the code. */
  readonly tckDetail: string | undefined;

  constructor(code: StoreErrorCode, message: string, options: ErrorOptionsWithDetail & { tckDetail?: string } = {}) {
    super(code, message, options);
    this.tckDetail = options.tckDetail;
  }
}

/** Another transaction was in the way: the same work may succeed when it is begun again. */
export class StoreConflictError extends RetryableError<StoreRetryCode> {
  override readonly name = "StoreConflictError";
}

/** The files of the store hold what we never wrote there. */
export class StoreCorruptionError extends CorruptionError<"DatabaseError.General.UnknownFailure"> {
  override readonly name = "StoreCorruptionError";

  constructor(message: string, options: ErrorOptionsWithDetail = {}) {
    super("DatabaseError.General.UnknownFailure", message, options);
  }
}
