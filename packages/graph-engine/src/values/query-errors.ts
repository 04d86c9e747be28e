import { QueryError } from "@trefoil/cypher";

/** A value of a type the operation doesn't take (TCK: TypeError), found while rows are made. */
export function typeError(message: string, tckDetail: string = "InvalidArgumentType"): QueryError {
  return new QueryError("ClientError.Statement.InvalidType", message, { phase: "runtime", tckDetail });
}

/** A value of the right type that the operation doesn't take (TCK: ArgumentError). */
export function argumentError(message: string, tckDetail: string = "InvalidArgumentValue"): QueryError {
  return new QueryError("ClientError.Statement.InvalidArguments", message, { phase: "runtime", tckDetail });
}

/** Division by zero, and results beyond 64 bits. */
export function arithmeticError(message: string, tckDetail?: string): QueryError {
  return new QueryError("ClientError.Statement.ArithmeticError", message, { phase: "runtime", tckDetail });
}

/** A syntax error that only values show: 2.3 reports incomparable values so (graph-http §11). */
export function lateSyntaxError(message: string, tckDetail?: string): QueryError {
  return new QueryError("ClientError.Statement.InvalidSyntax", message, { phase: "runtime", tckDetail });
}

/** The entity was deleted by this transaction, or never was. */
export function entityNotFound(message: string, tckDetail: string = "DeletedEntityAccess"): QueryError {
  return new QueryError("ClientError.Statement.EntityNotFound", message, { phase: "runtime", tckDetail });
}

/** 2.3's complaint when it looks for the labels of a deleted node. */
export function unloadableNode(id: number): QueryError {
  return entityNotFound(`Unable to load NODE with id ${id}.`);
}

/** Something the runtime of the 2.3 server failed on without a code of its own. */
export function executionFailure(message: string): QueryError {
  return new QueryError("DatabaseError.Statement.ExecutionFailure", message, { phase: "runtime" });
}
