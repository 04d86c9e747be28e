import { type Mode } from "@trefoil/cypher";
import { type BoundQuery } from "../binder/bound-query.ts";
import { type FunctionContext } from "../functions/function-context.ts";
import { type Value } from "../values/value.ts";
import { type Row } from "./row.ts";

/** What a statement needs besides its rows. */
export interface InterpreterContext {
  readonly mode: Mode;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly functions: FunctionContext;
  /** Runs the query of an EXISTS, COUNT or COLLECT in a row; handed in because queries and expressions need each other. */
  readonly interpretQuery: (query: BoundQuery, outer: Row, context: InterpreterContext) => readonly Row[];
}

/** The interpreter reads: updates, procedures and files are not its business. */
export class NotInterpretedError extends Error {
  override readonly name = "NotInterpretedError";
}
