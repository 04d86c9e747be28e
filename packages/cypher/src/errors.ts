import { RequestError } from "@trefoil/base";

/** A place in a statement's text: `offset` counts UTF-16 units from 0, `line` and `column` from 1. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Status code without its first word (`Graph.` or `Neo.`, chosen where it is written to the wire), such as
 * `ClientError.Statement.InvalidSyntax`. The catalogue is graph-http's `status-codes.ts`.
 */
export type StatusCode = `${"ClientError" | "TransientError" | "DatabaseError"}.${string}.${string}`;

/** When an error is found: `compile time` ones are raised by `EXPLAIN` too. */
export type Phase = "compile time" | "runtime";

/** What a statement did wrong, from the lexer to the last row. */
export class QueryError extends RequestError<StatusCode> {
  override readonly name = "QueryError";
  readonly phase: Phase;
  readonly position: Position | undefined;
  /** The word of the openCypher TCK for this error (`UndefinedVariable`), sent as `detail` beside the code. */
  readonly tckDetail: string | undefined;

  constructor(
    code: StatusCode,
    message: string,
    options: { phase: Phase; position?: Position | undefined; tckDetail?: string | undefined; cause?: unknown },
  ) {
    super(code, message, { cause: options.cause });
    this.phase = options.phase;
    this.position = options.position;
    this.tckDetail = options.tckDetail;
  }
}
