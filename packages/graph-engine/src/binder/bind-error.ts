import { type Position, QueryError, renderWithPosition, type StatusCode } from "@trefoil/cypher";

/**
 * Makes the compile-time errors of one statement: each message ends with its place, the line of the statement and a
 * caret below the place, as clients of the 2.x era print it (graph-http §11).
 */
export class BindErrors {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  syntax(message: string, position: Position, tckDetail: string): QueryError {
    return this.#error("ClientError.Statement.InvalidSyntax", message, position, tckDetail);
  }

  /** As {@link syntax}, without the line and the caret: so 2.3 reports what its planner found, not its checks. */
  syntaxWithPlace(message: string, position: Position, tckDetail: string): QueryError {
    const place = `(line ${position.line}, column ${position.column} (offset: ${position.offset}))`;
    return syntaxError(`${message} ${place}`, position, tckDetail);
  }

  /** As {@link syntax}, with nothing said about the place. */
  syntaxWithoutPlace(message: string, position: Position, tckDetail: string): QueryError {
    return syntaxError(message, position, tckDetail);
  }

  /** Property access on what cannot have properties: the one type error that TCK wants at compile time. */
  type(message: string, position: Position, tckDetail: string): QueryError {
    return this.#error("ClientError.Statement.InvalidType", message, position, tckDetail);
  }

  semantic(message: string, position: Position, tckDetail: string): QueryError {
    return this.#error("ClientError.Statement.InvalidSemantics", message, position, tckDetail);
  }

  procedureNotFound(message: string, position: Position): QueryError {
    return this.#error("ClientError.Procedure.ProcedureNotFound", message, position, "ProcedureNotFound");
  }

  /** Parsed and understood, but the engine cannot run it. */
  unsupported(what: string, position: Position): QueryError {
    return this.syntax(`${what} is not supported yet`, position, "NotSupported");
  }

  #error(code: StatusCode, message: string, position: Position, tckDetail: string): QueryError {
    return new QueryError(code, renderWithPosition(this.#text, position, message), {
      phase: "compile time",
      position,
      tckDetail,
    });
  }
}

function syntaxError(message: string, position: Position, tckDetail: string): QueryError {
  return new QueryError("ClientError.Statement.InvalidSyntax", message, {
    phase: "compile time",
    position,
    tckDetail,
  });
}
